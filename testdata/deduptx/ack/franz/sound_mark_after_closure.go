package franzcase

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

type bottleFilled struct {
	EventID string `json:"eventId"`
	Farm    string `json:"farm"`
}

// BottleWorker marks the record for the next autocommit when the closure has returned; right: it has committed by then.
type BottleWorker struct {
	client *kgo.Client
	pool   *pgxpool.Pool
}

func NewBottleWorker(seeds []string, pool *pgxpool.Pool) (*BottleWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("farms"), kgo.ConsumeTopics("bottleFilled"), kgo.AutoCommitMarks())
	if err != nil {
		return nil, err
	}
	return &BottleWorker{client: client, pool: pool}, nil
}

func (w *BottleWorker) Run(ctx context.Context) error {
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

func (w *BottleWorker) handle(ctx context.Context, rec *kgo.Record) error {
	var e bottleFilled
	if err := json.Unmarshal(rec.Value, &e); err != nil {
		return err
	}
	err := pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE farms SET bottles = bottles + 1 WHERE id = $1`, e.Farm)
		return err
	})
	if err != nil {
		return err
	}
	w.client.MarkCommitRecords(rec)
	return nil
}
