package gates

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

type karateWon struct {
	EventID string `json:"eventId"`
	Player  string `json:"player"`
	Points  int    `json:"points"`
}

// KarateWorker returns when LoadOrStore has stored, that is the first time.
type KarateWorker struct {
	client *kgo.Client
	pool   *pgxpool.Pool
	seen   *sync.Map
}

func NewKarateWorker(seeds []string, pool *pgxpool.Pool, seen *sync.Map) (*KarateWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("karate"), kgo.ConsumeTopics("karate.won"))
	if err != nil {
		return nil, err
	}
	return &KarateWorker{client: client, pool: pool, seen: seen}, nil
}

func (w *KarateWorker) Run(ctx context.Context) error {
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

func (w *KarateWorker) handle(ctx context.Context, r *kgo.Record) error {
	var e karateWon
	if err := json.Unmarshal(r.Value, &e); err != nil {
		return err
	}
	if _, loaded := w.seen.LoadOrStore(e.EventID, struct{}{}); !loaded {
		return nil
	}
	_, err := w.pool.Exec(ctx, `UPDATE players SET points = points + $1 WHERE id = $2`, e.Points, e.Player) // want "R-KFK-IDEM-X1"
	return err
}
