package topicmap

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type shelfEvent struct {
	EventID string `json:"eventId"`
	ID      string `json:"id"`
	Pieces  int    `json:"pieces"`
}

// ShelfWorker has a map of handlers by topic; one marks the event, the other forgot.
type ShelfWorker struct {
	pool     *pgxpool.Pool
	handlers map[string]func(ctx context.Context, tx pgx.Tx, e shelfEvent) error
}

func NewShelfWorker(pool *pgxpool.Pool) *ShelfWorker {
	w := &ShelfWorker{pool: pool}
	w.handlers = map[string]func(ctx context.Context, tx pgx.Tx, e shelfEvent) error{
		"added":   w.added,
		"removed": w.removed,
	}
	return w
}

func (w *ShelfWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *ShelfWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *ShelfWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.dispatch(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *ShelfWorker) dispatch(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e shelfEvent
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		h, ok := w.handlers[msg.Topic]
		if !ok {
			return fmt.Errorf("no handler for %s", msg.Topic)
		}
		return h(ctx, tx, e)
	})
}

func (w *ShelfWorker) added(ctx context.Context, tx pgx.Tx, e shelfEvent) error {
	tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'shelf-added') ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE stock SET pieces = pieces + $1 WHERE id = $2`, e.Pieces, e.ID)
	return err
}

func (w *ShelfWorker) removed(ctx context.Context, tx pgx.Tx, e shelfEvent) error {
	_, err := tx.Exec(ctx, `UPDATE stock SET pieces = pieces - $1 WHERE id = $2`, e.Pieces, e.ID) // want "R-KFK-IDEM-X1"
	return err
}
