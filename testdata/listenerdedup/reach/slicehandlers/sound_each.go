package slicehandlers

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type chestEvent struct {
	EventID string `json:"eventId"`
	ID      string `json:"id"`
	Pieces  int    `json:"pieces"`
}

// ChestWorker runs a slice of handlers; sound: each of them marks the event under its own group.
type ChestWorker struct {
	pool     *pgxpool.Pool
	handlers []func(ctx context.Context, tx pgx.Tx, e chestEvent) error
}

func NewChestWorker(pool *pgxpool.Pool) *ChestWorker {
	w := &ChestWorker{pool: pool}
	w.handlers = append(w.handlers, w.added, w.removed)
	return w
}

func (w *ChestWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *ChestWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *ChestWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.dispatch(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *ChestWorker) dispatch(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e chestEvent
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

func (w *ChestWorker) added(ctx context.Context, tx pgx.Tx, e chestEvent) error {
	tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'chest-added') ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE stock SET pieces = pieces + $1 WHERE id = $2`, e.Pieces, e.ID)
	return err
}

func (w *ChestWorker) removed(ctx context.Context, tx pgx.Tx, e chestEvent) error {
	tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'chest-removed') ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE stock SET pieces = pieces - $1 WHERE id = $2`, e.Pieces, e.ID)
	return err
}
