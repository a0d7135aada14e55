package twotx

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

type meterRead struct {
	EventID string `json:"eventId"`
	Meter   string `json:"meter"`
	Kwh     int    `json:"kwh"`
}

// MeterWorker has a helper for the mark and a helper for the work, each with a transaction of its own.
type MeterWorker struct {
	consumer *kafka.Consumer
	db       *sql.DB
}

func NewMeterWorker(brokers string, db *sql.DB) (*MeterWorker, error) {
	consumer, err := kafka.NewConsumer(&kafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "meter-ledger", "enable.auto.commit": false})
	if err != nil {
		return nil, err
	}
	return &MeterWorker{consumer: consumer, db: db}, consumer.Subscribe("meter.read", nil)
}

func (w *MeterWorker) Run(ctx context.Context) error {
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

func (w *MeterWorker) apply(ctx context.Context, payload []byte) error {
	var e meterRead
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	first, err := w.markOnce(ctx, e.EventID)
	if err != nil || !first {
		return err
	}
	return w.addReading(ctx, e)
}

func (w *MeterWorker) markOnce(ctx context.Context, eventID string) (bool, error) {
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, eventID)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return false, err
	}
	return n == 1, tx.Commit()
}

func (w *MeterWorker) addReading(ctx context.Context, e meterRead) error {
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `UPDATE meters SET kwh = kwh + $1 WHERE id = $2`, e.Kwh, e.Meter); err != nil { // want "R-KFK-IDEM-3"
		return err
	}
	return tx.Commit()
}
