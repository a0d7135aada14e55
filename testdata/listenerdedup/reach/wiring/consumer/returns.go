package consumer

import (
	"context"
	"encoding/json"
	"log"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

// ReturnHandler is bound by whoever makes the worker.
type ReturnHandler interface {
	Handle(ctx context.Context, body []byte) error
}

// ReturnWorker marks the event only after the bound interface has been called.
type ReturnWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
	handle ReturnHandler
}

// NewReturnWorker binds the handler.
func NewReturnWorker(reader *kafka.Reader, pool *pgxpool.Pool, handle ReturnHandler) *ReturnWorker {
	return &ReturnWorker{reader: reader, pool: pool, handle: handle}
}

// Run is the loop.
func (w *ReturnWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.handle.Handle(ctx, m.Value); err != nil {
			return err
		}
		var head struct {
			EventID string `json:"eventId"`
		}
		if err := json.Unmarshal(m.Value, &head); err != nil {
			return err
		}
		tag, err := w.pool.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'returns') ON CONFLICT DO NOTHING`, head.EventID)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			log.Printf("event %s came twice", head.EventID)
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}
