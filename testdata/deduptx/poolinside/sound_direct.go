package poolinside

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

type chairTaken struct {
	EventID string `json:"eventId"`
	Floor   string `json:"floor"`
}

// ChairWorker writes on the transaction inside its closure; right: mark and work are both in it, only the look at the settings is on the pool.
type ChairWorker struct {
	client *kgo.Client
	pool   *pgxpool.Pool
}

func NewChairWorker(seeds []string, pool *pgxpool.Pool) (*ChairWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("chair-ledger"), kgo.ConsumeTopics("chair.taken"), kgo.DisableAutoCommit())
	if err != nil {
		return nil, err
	}
	return &ChairWorker{client: client, pool: pool}, nil
}

func (w *ChairWorker) Run(ctx context.Context) error {
	for {
		fetches := w.client.PollFetches(ctx)
		if fetches.IsClientClosed() {
			return nil
		}
		for iter := fetches.RecordIter(); !iter.Done(); {
			rec := iter.Next()
			if err := w.take(ctx, rec.Value); err != nil {
				return err
			}
			if err := w.client.CommitRecords(ctx, rec); err != nil {
				return err
			}
		}
	}
}

func (w *ChairWorker) take(ctx context.Context, payload []byte) error {
	var e chairTaken
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	var free bool
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		if err := w.pool.QueryRow(ctx, `SELECT free FROM settings WHERE floor = $1`, e.Floor).Scan(&free); err != nil {
			return err
		}
		if !free {
			return nil
		}
		_, err = tx.Exec(ctx, `UPDATE floors SET chairs = chairs - 1 WHERE id = $1`, e.Floor)
		return err
	})
}
