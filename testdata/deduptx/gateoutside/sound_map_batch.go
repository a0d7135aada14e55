package gateoutside

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

type hoursFlown struct {
	EventID string `json:"eventId"`
	Pilot   string `json:"pilot"`
	Hours   int    `json:"hours"`
}

// HoursWorker counts records a pilot in a map and never asks it; right: the map is a statistic, the gate is in the transaction.
type HoursWorker struct {
	consumer *kafka.Consumer
	db       *sql.DB
	perPilot map[string]int
}

func NewHoursWorker(brokers string, db *sql.DB) (*HoursWorker, error) {
	consumer, err := kafka.NewConsumer(&kafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "hours", "enable.auto.commit": false})
	if err != nil {
		return nil, err
	}
	return &HoursWorker{consumer: consumer, db: db, perPilot: map[string]int{}}, consumer.Subscribe("flights", nil)
}

func (w *HoursWorker) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		msg, err := w.consumer.ReadMessage(time.Second)
		if err != nil {
			continue
		}
		if err := w.add(ctx, msg.Value); err != nil {
			return err
		}
		if _, err := w.consumer.CommitMessage(msg); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (w *HoursWorker) add(ctx context.Context, payload []byte) error {
	var e hoursFlown
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	w.perPilot[e.Pilot]++
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
	if _, err := tx.ExecContext(ctx, `UPDATE pilots SET hours = hours + $1 WHERE id = $2`, e.Hours, e.Pilot); err != nil {
		return err
	}
	return tx.Commit()
}
