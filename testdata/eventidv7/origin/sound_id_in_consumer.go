package origin

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type bridgePassed struct {
	EventID uuid.UUID `json:"eventId"`
	Type    string    `json:"type"`
	Time    time.Time `json:"time"`
	Plate   string    `json:"plate"`
}

// bridgeWorker refuses an event without an id; the passage that it stores has a random id of its own.
type bridgeWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func (w *bridgeWorker) Run(ctx context.Context) error {
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

func (w *bridgeWorker) handle(ctx context.Context, payload []byte) error {
	var ev bridgePassed
	if err := json.Unmarshal(payload, &ev); err != nil {
		return err
	}
	if ev.EventID == uuid.Nil {
		return errors.New("no event id")
	}
	passage := uuid.New()
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, ev.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO passages (id, plate, at) VALUES ($1, $2, $3)`, passage, ev.Plate, ev.Time)
		return err
	})
}
