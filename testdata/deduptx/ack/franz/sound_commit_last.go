package franzcase

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

type basketPicked struct {
	EventID string `json:"eventId"`
	Farm    string `json:"farm"`
}

// BasketWorker commits the record after the transaction; right: a crash between brings the record again, and the gate knows it.
type BasketWorker struct {
	client *kgo.Client
	pool   *pgxpool.Pool
}

func NewBasketWorker(seeds []string, pool *pgxpool.Pool) (*BasketWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("farms"), kgo.ConsumeTopics("basketPicked"), kgo.DisableAutoCommit())
	if err != nil {
		return nil, err
	}
	return &BasketWorker{client: client, pool: pool}, nil
}

func (w *BasketWorker) Run(ctx context.Context) error {
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

func (w *BasketWorker) handle(ctx context.Context, rec *kgo.Record) error {
	var e basketPicked
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
	if err := tx.Commit(ctx); err != nil {
		return err
	}
	return w.client.CommitRecords(ctx, rec)
}
