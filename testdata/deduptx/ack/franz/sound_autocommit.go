package franzcase

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

type sackFilled struct {
	EventID string `json:"eventId"`
	Farm    string `json:"farm"`
}

// SackWorker leaves the offsets to the client's autocommit; right: it commits what was polled before only when the next poll comes, and that waits for the transactions.
type SackWorker struct {
	client *kgo.Client
	pool   *pgxpool.Pool
}

func NewSackWorker(seeds []string, pool *pgxpool.Pool) (*SackWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("farms"), kgo.ConsumeTopics("sackFilled"))
	if err != nil {
		return nil, err
	}
	return &SackWorker{client: client, pool: pool}, nil
}

func (w *SackWorker) Run(ctx context.Context) error {
	for {
		fetches := w.client.PollFetches(ctx)
		if fetches.IsClientClosed() {
			return nil
		}
		for iter := fetches.RecordIter(); !iter.Done(); {
			if err := w.handle(ctx, iter.Next()); err != nil {
				return err
			}
		}
	}
}

func (w *SackWorker) handle(ctx context.Context, rec *kgo.Record) error {
	var e sackFilled
	if err := json.Unmarshal(rec.Value, &e); err != nil {
		return err
	}
	tx, err := w.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	if _, err := tx.Exec(ctx, `UPDATE farms SET crates = crates + 1 WHERE id = $1`, e.Farm); err != nil {
		return err
	}
	return tx.Commit(ctx)
}
