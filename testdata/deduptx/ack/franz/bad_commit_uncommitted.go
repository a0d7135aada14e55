package franzcase

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

type palletFilled struct {
	EventID string `json:"eventId"`
	Farm    string `json:"farm"`
}

// PalletWorker commits all that was polled before it is handled.
type PalletWorker struct {
	client *kgo.Client
	pool   *pgxpool.Pool
}

func NewPalletWorker(seeds []string, pool *pgxpool.Pool) (*PalletWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("farms"), kgo.ConsumeTopics("palletFilled"), kgo.DisableAutoCommit())
	if err != nil {
		return nil, err
	}
	return &PalletWorker{client: client, pool: pool}, nil
}

func (w *PalletWorker) Run(ctx context.Context) error {
	for {
		fetches := w.client.PollFetches(ctx)
		if fetches.IsClientClosed() {
			return nil
		}
		if err := w.client.CommitUncommittedOffsets(ctx); err != nil { // want "R-KFK-IDEM-3"
			return err
		}
		for iter := fetches.RecordIter(); !iter.Done(); {
			if err := w.handle(ctx, iter.Next()); err != nil {
				return err
			}
		}
	}
}

func (w *PalletWorker) handle(ctx context.Context, rec *kgo.Record) error {
	var e palletFilled
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
