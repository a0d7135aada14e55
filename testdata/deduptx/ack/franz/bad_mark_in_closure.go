package franzcase

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

type barrelFilled struct {
	EventID string `json:"eventId"`
	Farm    string `json:"farm"`
}

// BarrelWorker marks the record for the next autocommit inside the closure, which is before its commit.
type BarrelWorker struct {
	client *kgo.Client
	pool   *pgxpool.Pool
}

func NewBarrelWorker(seeds []string, pool *pgxpool.Pool) (*BarrelWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("farms"), kgo.ConsumeTopics("barrelFilled"), kgo.AutoCommitMarks())
	if err != nil {
		return nil, err
	}
	return &BarrelWorker{client: client, pool: pool}, nil
}

func (w *BarrelWorker) Run(ctx context.Context) error {
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

func (w *BarrelWorker) handle(ctx context.Context, rec *kgo.Record) error {
	var e barrelFilled
	if err := json.Unmarshal(rec.Value, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		w.client.MarkCommitRecords(rec) // want "R-KFK-IDEM-3"
		_, err = tx.Exec(ctx, `UPDATE farms SET barrels = barrels + 1 WHERE id = $1`, e.Farm)
		return err
	})
}
