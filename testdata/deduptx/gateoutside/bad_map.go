package gateoutside

import (
	"context"
	"database/sql"
	"encoding/json"
	"sync"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

type milesFlown struct {
	EventID string `json:"eventId"`
	Pilot   string `json:"pilot"`
	Miles   int    `json:"miles"`
}

// MilesWorker marks in a map under a mutex and writes to the database.
type MilesWorker struct {
	consumer *kafka.Consumer
	db       *sql.DB
	mu       sync.Mutex
	seen     map[string]bool
}

func NewMilesWorker(brokers string, db *sql.DB) (*MilesWorker, error) {
	consumer, err := kafka.NewConsumer(&kafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "miles", "enable.auto.commit": false})
	if err != nil {
		return nil, err
	}
	return &MilesWorker{consumer: consumer, db: db, seen: map[string]bool{}}, consumer.Subscribe("flights", nil)
}

func (w *MilesWorker) Run(ctx context.Context) error {
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

func (w *MilesWorker) add(ctx context.Context, payload []byte) error {
	var e milesFlown
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.seen[e.EventID] { // want "R-KFK-IDEM-3"
		return nil
	}
	w.seen[e.EventID] = true
	_, err := w.db.ExecContext(ctx, `UPDATE pilots SET miles = miles + $1 WHERE id = $2`, e.Miles, e.Pilot)
	return err
}
