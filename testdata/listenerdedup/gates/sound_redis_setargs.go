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

type posterHung struct {
	EventID string `json:"eventId"`
	Wall    string `json:"wall"`
	Pieces  int    `json:"pieces"`
}

// PosterWorker is sound here: SET NX answers redis.Nil for a known event, which returns.
type PosterWorker struct {
	client *kgo.Client
	rdb    *redis.Client
	db     *sql.DB
}

func NewPosterWorker(seeds []string, rdb *redis.Client, db *sql.DB) (*PosterWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("poster"), kgo.ConsumeTopics("poster.hung"))
	if err != nil {
		return nil, err
	}
	return &PosterWorker{client: client, rdb: rdb, db: db}, nil
}

func (w *PosterWorker) Run(ctx context.Context) error {
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

func (w *PosterWorker) handle(ctx context.Context, r *kgo.Record) error {
	var e posterHung
	if err := json.Unmarshal(r.Value, &e); err != nil {
		return err
	}
	err := w.rdb.SetArgs(ctx, "evt:"+e.EventID, "1", redis.SetArgs{Mode: "NX", TTL: 48 * time.Hour}).Err()
	if errors.Is(err, redis.Nil) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = w.db.ExecContext(ctx, `UPDATE walls SET pieces = pieces + $1 WHERE id = $2`, e.Pieces, e.Wall)
	return err
}
