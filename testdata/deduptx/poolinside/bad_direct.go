package poolinside

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

type deskTaken struct {
	EventID string `json:"eventId"`
	Floor   string `json:"floor"`
}

// DeskWorker writes on the pool inside the closure of the transaction.
type DeskWorker struct {
	client *kgo.Client
	pool   *pgxpool.Pool
}

func NewDeskWorker(seeds []string, pool *pgxpool.Pool) (*DeskWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("desk-ledger"), kgo.ConsumeTopics("desk.taken"), kgo.DisableAutoCommit())
	if err != nil {
		return nil, err
	}
	return &DeskWorker{client: client, pool: pool}, nil
}

func (w *DeskWorker) Run(ctx context.Context) error {
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

func (w *DeskWorker) take(ctx context.Context, payload []byte) error {
	var e deskTaken
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = w.pool.Exec(ctx, `UPDATE floors SET desks = desks - 1 WHERE id = $1`, e.Floor) // want "R-KFK-IDEM-3"
		return err
	})
}
