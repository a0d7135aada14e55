package confluentcase

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

type sandWeighed struct {
	EventID string `json:"eventId"`
	Mine    string `json:"mine"`
}

// SandWorker stores the offset for the background commit after the transaction; right: the client commits only what is stored.
type SandWorker struct {
	consumer *kafka.Consumer
	db       *sql.DB
}

func NewSandWorker(brokers string, db *sql.DB) (*SandWorker, error) {
	consumer, err := kafka.NewConsumer(&kafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "mines", "enable.auto.offset.store": false})
	if err != nil {
		return nil, err
	}
	return &SandWorker{consumer: consumer, db: db}, consumer.Subscribe("sandWeighed", nil)
}

func (w *SandWorker) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		msg, err := w.consumer.ReadMessage(time.Second)
		if err != nil {
			continue
		}
		if err := w.handle(ctx, msg); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (w *SandWorker) handle(ctx context.Context, msg *kafka.Message) error {
	var e sandWeighed
	if err := json.Unmarshal(msg.Value, &e); err != nil {
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
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE mines SET tons = tons + 1 WHERE id = $1`, e.Mine); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	_, err = w.consumer.StoreMessage(msg)
	return err
}
