package sqlxcase

import (
	"context"
	"encoding/json"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/jmoiron/sqlx"
)

type gooseWorkerEvent struct {
	EventID string `json:"eventId"`
	Farm    string `json:"farm"`
}

// GooseWorker gives the transaction to a helper as an interface; right.
type GooseWorker struct {
	db       *sqlx.DB
	consumer *kafka.Consumer
}

// Run polls.
func (w *GooseWorker) Run(ctx context.Context) error {
	for {
		msg, err := w.consumer.ReadMessage(-1)
		if err != nil {
			return err
		}
		if err := w.handle(ctx, msg.Value); err != nil {
			return err
		}
		if _, err := w.consumer.CommitMessage(msg); err != nil {
			return err
		}
	}
}

func (w *GooseWorker) handle(ctx context.Context, payload []byte) error {
	var e gooseWorkerEvent
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	tx, err := w.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if err := addEgg(ctx, tx, e.Farm); err != nil {
		return err
	}
	return tx.Commit()
}

func addEgg(ctx context.Context, x sqlx.ExtContext, farm string) error {
	_, err := x.ExecContext(ctx, `UPDATE farms SET eggs = eggs + 1 WHERE id = $1`, farm)
	return err
}
