package topicmap

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type cupboardEvent struct {
	EventID string `json:"eventId"`
	ID      string `json:"id"`
	Pieces  int    `json:"pieces"`
}

// CupboardWorker has a map of handlers by topic; sound: the event is marked before the dispatch.
type CupboardWorker struct {
	pool     *pgxpool.Pool
	handlers map[string]func(ctx context.Context, tx pgx.Tx, e cupboardEvent) error
}

func NewCupboardWorker(pool *pgxpool.Pool) *CupboardWorker {
	w := &CupboardWorker{pool: pool}
	w.handlers = map[string]func(ctx context.Context, tx pgx.Tx, e cupboardEvent) error{
		"added":   w.added,
		"removed": w.removed,
	}
	return w
}

func (w *CupboardWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *CupboardWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *CupboardWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.dispatch(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *CupboardWorker) dispatch(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e cupboardEvent
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'cupboard') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return nil
		}
		h, ok := w.handlers[msg.Topic]
		if !ok {
			return fmt.Errorf("no handler for %s", msg.Topic)
		}
		return h(ctx, tx, e)
	})
}

func (w *CupboardWorker) added(ctx context.Context, tx pgx.Tx, e cupboardEvent) error {
	_, err := tx.Exec(ctx, `UPDATE stock SET pieces = pieces + $1 WHERE id = $2`, e.Pieces, e.ID)
	return err
}

func (w *CupboardWorker) removed(ctx context.Context, tx pgx.Tx, e cupboardEvent) error {
	_, err := tx.Exec(ctx, `UPDATE stock SET pieces = pieces - $1 WHERE id = $2`, e.Pieces, e.ID)
	return err
}
