package slicehandlers

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type crateEvent struct {
	EventID string `json:"eventId"`
	ID      string `json:"id"`
	Pieces  int    `json:"pieces"`
}

// CrateWorker runs a slice of handlers; one marks the event for itself, the other forgot.
type CrateWorker struct {
	pool     *pgxpool.Pool
	handlers []func(ctx context.Context, tx pgx.Tx, e crateEvent) error
}

func NewCrateWorker(pool *pgxpool.Pool) *CrateWorker {
	w := &CrateWorker{pool: pool}
	w.handlers = append(w.handlers, w.added, w.removed)
	return w
}

func (w *CrateWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *CrateWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *CrateWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.dispatch(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *CrateWorker) dispatch(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e crateEvent
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		for _, h := range w.handlers {
			if err := h(ctx, tx, e); err != nil {
				return err
			}
		}
		return nil
	})
}

func (w *CrateWorker) added(ctx context.Context, tx pgx.Tx, e crateEvent) error {
	tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'crate-added') ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE stock SET pieces = pieces + $1 WHERE id = $2`, e.Pieces, e.ID)
	return err
}

func (w *CrateWorker) removed(ctx context.Context, tx pgx.Tx, e crateEvent) error {
	_, err := tx.Exec(ctx, `UPDATE stock SET pieces = pieces - $1 WHERE id = $2`, e.Pieces, e.ID) // want "R-KFK-IDEM-X1"
	return err
}
