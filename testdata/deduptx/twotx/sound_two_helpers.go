package twotx

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

type gaugeRead struct {
	EventID string `json:"eventId"`
	Gauge   string `json:"gauge"`
	Bars    int    `json:"bars"`
}

// GaugeWorker has a helper for the mark and a helper for the work; right: both get the caller's transaction.
type GaugeWorker struct {
	consumer *kafka.Consumer
	db       *sql.DB
}

func NewGaugeWorker(brokers string, db *sql.DB) (*GaugeWorker, error) {
	consumer, err := kafka.NewConsumer(&kafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "gauge-ledger", "enable.auto.commit": false})
	if err != nil {
		return nil, err
	}
	return &GaugeWorker{consumer: consumer, db: db}, consumer.Subscribe("gauge.read", nil)
}

func (w *GaugeWorker) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		msg, err := w.consumer.ReadMessage(time.Second)
		if err != nil {
			continue
		}
		if err := w.apply(ctx, msg.Value); err != nil {
			return err
		}
		if _, err := w.consumer.CommitMessage(msg); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (w *GaugeWorker) apply(ctx context.Context, payload []byte) error {
	var e gaugeRead
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	first, err := w.markOnce(ctx, tx, e.EventID)
	if err != nil || !first {
		return err
	}
	if err := w.addReading(ctx, tx, e); err != nil {
		return err
	}
	return tx.Commit()
}

func (w *GaugeWorker) markOnce(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, eventID)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

func (w *GaugeWorker) addReading(ctx context.Context, tx *sql.Tx, e gaugeRead) error {
	_, err := tx.ExecContext(ctx, `UPDATE gauges SET bars = bars + $1 WHERE id = $2`, e.Bars, e.Gauge)
	return err
}
