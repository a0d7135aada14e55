package gates

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/twmb/franz-go/pkg/kgo"
)

type bannerHung struct {
	EventID string `json:"eventId"`
	Wall    string `json:"wall"`
	Pieces  int    `json:"pieces"`
}

// BannerWorker swallows redis.Nil, the answer of SET NX for a known event, and goes on.
type BannerWorker struct {
	client *kgo.Client
	rdb    *redis.Client
	db     *sql.DB
}

func NewBannerWorker(seeds []string, rdb *redis.Client, db *sql.DB) (*BannerWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("banner"), kgo.ConsumeTopics("banner.hung"))
	if err != nil {
		return nil, err
	}
	return &BannerWorker{client: client, rdb: rdb, db: db}, nil
}

func (w *BannerWorker) Run(ctx context.Context) error {
	for {
		fetches := w.client.PollFetches(ctx)
		if fetches.IsClientClosed() {
			return nil
		}
		for _, r := range fetches.Records() {
			if err := w.handle(ctx, r); err != nil {
				return err
			}
		}
		if err := w.client.CommitUncommittedOffsets(ctx); err != nil {
			return err
		}
	}
}

func (w *BannerWorker) handle(ctx context.Context, r *kgo.Record) error {
	var e bannerHung
	if err := json.Unmarshal(r.Value, &e); err != nil {
		return err
	}
	err := w.rdb.SetArgs(ctx, "evt:"+e.EventID, "1", redis.SetArgs{Mode: "NX", TTL: 48 * time.Hour}).Err()
	if err != nil && !errors.Is(err, redis.Nil) {
		return err
	}
	_, err = w.db.ExecContext(ctx, `UPDATE walls SET pieces = pieces + $1 WHERE id = $2`, e.Pieces, e.Wall) // want "R-KFK-IDEM-X1"
	return err
}
