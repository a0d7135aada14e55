package topicmap

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type drawerEvent struct {
	EventID string `json:"eventId"`
	ID      string `json:"id"`
	Pieces  int    `json:"pieces"`
}

// DrawerWorker has a map of handlers by topic; sound: each handler marks the event itself.
type DrawerWorker struct {
	pool     *pgxpool.Pool
	handlers map[string]func(ctx context.Context, tx pgx.Tx, e drawerEvent) error
}

func NewDrawerWorker(pool *pgxpool.Pool) *DrawerWorker {
	w := &DrawerWorker{pool: pool}
	w.handlers = map[string]func(ctx context.Context, tx pgx.Tx, e drawerEvent) error{
		"added":   w.added,
		"removed": w.removed,
	}
	return w
}

func (w *DrawerWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *DrawerWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *DrawerWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.dispatch(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *DrawerWorker) dispatch(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e drawerEvent
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

func (w *DrawerWorker) added(ctx context.Context, tx pgx.Tx, e drawerEvent) error {
	tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'drawer-added') ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE stock SET pieces = pieces + $1 WHERE id = $2`, e.Pieces, e.ID)
	return err
}

func (w *DrawerWorker) removed(ctx context.Context, tx pgx.Tx, e drawerEvent) error {
	tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'drawer-removed') ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE stock SET pieces = pieces - $1 WHERE id = $2`, e.Pieces, e.ID)
	return err
}
