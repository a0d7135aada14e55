package committed

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

type fineIssued struct {
	EventID string `json:"eventId"`
	Reader  string `json:"reader"`
	Cents   int64  `json:"cents"`
}

// FineWorker commits early on the branch of a duplicate; right: on the other branch mark and work share the commit.
type FineWorker struct {
	consumer *kafka.Consumer
	db       *sql.DB
}

func NewFineWorker(brokers string, db *sql.DB) (*FineWorker, error) {
	consumer, err := kafka.NewConsumer(&kafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "fine-ledger", "enable.auto.commit": false})
	if err != nil {
		return nil, err
	}
	return &FineWorker{consumer: consumer, db: db}, consumer.Subscribe("fine.issued", nil)
}

func (w *FineWorker) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		msg, err := w.consumer.ReadMessage(time.Second)
		if err != nil {
			continue
		}
		if err := w.fine(ctx, msg.Value); err != nil {
			return err
		}
		if _, err := w.consumer.CommitMessage(msg); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (w *FineWorker) fine(ctx context.Context, payload []byte) error {
	var e fineIssued
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return err
	}
	if n == 0 {
		return tx.Commit()
	}
	if _, err := tx.ExecContext(ctx, `UPDATE readers SET fines = fines + $1 WHERE id = $2`, e.Cents, e.Reader); err != nil {
		return err
	}
	return tx.Commit()
}
