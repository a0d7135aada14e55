package confluentcase

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

type oreWeighed struct {
	EventID string `json:"eventId"`
	Mine    string `json:"mine"`
}

// OreWorker commits the message before the transaction.
type OreWorker struct {
	consumer *kafka.Consumer
	db       *sql.DB
}

func NewOreWorker(brokers string, db *sql.DB) (*OreWorker, error) {
	consumer, err := kafka.NewConsumer(&kafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "mines", "enable.auto.commit": false})
	if err != nil {
		return nil, err
	}
	return &OreWorker{consumer: consumer, db: db}, consumer.Subscribe("oreWeighed", nil)
}

func (w *OreWorker) Run(ctx context.Context) error {
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

func (w *OreWorker) handle(ctx context.Context, msg *kafka.Message) error {
	var e oreWeighed
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
	if _, err := w.consumer.CommitMessage(msg); err != nil { // want "R-KFK-IDEM-3"
		return err
	}
	return tx.Commit()
}
