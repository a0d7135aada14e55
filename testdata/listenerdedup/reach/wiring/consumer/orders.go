package consumer

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

// OrderHandler is bound by whoever makes the worker.
type OrderHandler interface {
	Handle(ctx context.Context, body []byte) error
}

// OrderWorker marks the event itself before it calls the bound interface.
type OrderWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
	handle OrderHandler
}

// NewOrderWorker binds the handler.
func NewOrderWorker(reader *kafka.Reader, pool *pgxpool.Pool, handle OrderHandler) *OrderWorker {
	return &OrderWorker{reader: reader, pool: pool, handle: handle}
}

// Run is the loop.
func (w *OrderWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var head struct {
			EventID string `json:"eventId"`
		}
		if err := json.Unmarshal(m.Value, &head); err != nil {
			return err
		}
		tag, err := w.pool.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'orders') ON CONFLICT DO NOTHING`, head.EventID)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			if err := w.reader.CommitMessages(ctx, m); err != nil {
				return err
			}
			continue
		}
		if err := w.handle.Handle(ctx, m.Value); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}
