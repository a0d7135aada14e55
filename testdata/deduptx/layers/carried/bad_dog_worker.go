package carried

import (
	"context"
	"encoding/json"

	"example.com/cases/deduptx/layers/carried/store"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type dogWorkerEvent struct {
	EventID string `json:"eventId"`
	Farm    string `json:"farm"`
}

// DogWorker writes on the pool inside a transaction that the context carries.
type DogWorker struct {
	pool   *pgxpool.Pool
	inbox  *store.Inbox
	reader *kafka.Reader
}

// Run polls.
func (w *DogWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.handle(ctx, m.Value); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (w *DogWorker) handle(ctx context.Context, payload []byte) error {
	var e dogWorkerEvent
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	return store.WithinTx(ctx, w.pool, func(ctx context.Context) error {
		if first, err := w.inbox.TryMark(ctx, e.EventID); err != nil || !first {
			return err
		}
		_, err := w.pool.Exec(ctx, `UPDATE farms SET dogs = dogs + 1 WHERE id = $1`, e.Farm) // want "R-KFK-IDEM-3"
		return err
	})
}
