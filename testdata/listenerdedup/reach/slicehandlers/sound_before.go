package slicehandlers

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type trunkEvent struct {
	EventID string `json:"eventId"`
	ID      string `json:"id"`
	Pieces  int    `json:"pieces"`
}

// TrunkWorker runs a slice of handlers; sound: the event is marked once before the loop.
type TrunkWorker struct {
	pool     *pgxpool.Pool
	handlers []func(ctx context.Context, tx pgx.Tx, e trunkEvent) error
}

func NewTrunkWorker(pool *pgxpool.Pool) *TrunkWorker {
	w := &TrunkWorker{pool: pool}
	w.handlers = append(w.handlers, w.added, w.removed)
	return w
}

func (w *TrunkWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *TrunkWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *TrunkWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.dispatch(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *TrunkWorker) dispatch(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e trunkEvent
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'trunk') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return nil
		}
		for _, h := range w.handlers {
			if err := h(ctx, tx, e); err != nil {
				return err
			}
		}
		return nil
	})
}

func (w *TrunkWorker) added(ctx context.Context, tx pgx.Tx, e trunkEvent) error {
	_, err := tx.Exec(ctx, `UPDATE stock SET pieces = pieces + $1 WHERE id = $2`, e.Pieces, e.ID)
	return err
}

func (w *TrunkWorker) removed(ctx context.Context, tx pgx.Tx, e trunkEvent) error {
	_, err := tx.Exec(ctx, `UPDATE stock SET pieces = pieces - $1 WHERE id = $2`, e.Pieces, e.ID)
	return err
}
