package gates

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type faxReceived struct {
	EventID string `json:"eventId"`
	Machine string `json:"machine"`
	Pages   int    `json:"pages"`
}

// FaxWorker is sound: an event without an id is refused before the gate.
type FaxWorker struct {
	pool *pgxpool.Pool
}

func NewFaxWorker(pool *pgxpool.Pool) *FaxWorker {
	return &FaxWorker{pool: pool}
}

func (w *FaxWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *FaxWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *FaxWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *FaxWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e faxReceived
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	if e.EventID == "" {
		return errors.New("fax event without an id")
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'faxes') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE machines SET pages = pages + $1 WHERE id = $2`, e.Pages, e.Machine)
		return err
	})
}
