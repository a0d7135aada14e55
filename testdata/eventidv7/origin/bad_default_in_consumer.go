package origin

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type tollPassed struct {
	EventID string    `json:"eventId"`
	Type    string    `json:"type"`
	Time    time.Time `json:"time"`
	Plate   string    `json:"plate"`
}

// tollWorker makes an id up when the producer sent none: each delivery gets another.
type tollWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func (w *tollWorker) Run(ctx context.Context) error {
	for {
		msg, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.handle(ctx, msg.Value); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}

func (w *tollWorker) handle(ctx context.Context, payload []byte) error {
	var ev tollPassed
	if err := json.Unmarshal(payload, &ev); err != nil {
		return err
	}
	if ev.EventID == "" {
		ev.EventID = uuid.NewString() // want "R-KFK-IDEM-1"
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, ev.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO tolls (plate, at) VALUES ($1, $2)`, ev.Plate, ev.Time)
		return err
	})
}
