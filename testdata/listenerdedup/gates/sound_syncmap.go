package gates

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

type judoWon struct {
	EventID string `json:"eventId"`
	Player  string `json:"player"`
	Points  int    `json:"points"`
}

// JudoWorker is sound here: LoadOrStore says loaded for a known event, which returns.
type JudoWorker struct {
	client *kgo.Client
	pool   *pgxpool.Pool
	seen   *sync.Map
}

func NewJudoWorker(seeds []string, pool *pgxpool.Pool, seen *sync.Map) (*JudoWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("judo"), kgo.ConsumeTopics("judo.won"))
	if err != nil {
		return nil, err
	}
	return &JudoWorker{client: client, pool: pool, seen: seen}, nil
}

func (w *JudoWorker) Run(ctx context.Context) error {
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

func (w *JudoWorker) handle(ctx context.Context, r *kgo.Record) error {
	var e judoWon
	if err := json.Unmarshal(r.Value, &e); err != nil {
		return err
	}
	if _, loaded := w.seen.LoadOrStore(e.EventID, struct{}{}); loaded {
		return nil
	}
	_, err := w.pool.Exec(ctx, `UPDATE players SET points = points + $1 WHERE id = $2`, e.Points, e.Player)
	return err
}
