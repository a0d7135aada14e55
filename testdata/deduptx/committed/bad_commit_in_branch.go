package committed

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

type holdPlaced struct {
	EventID string `json:"eventId"`
	Reader  string `json:"reader"`
	Title   string `json:"title"`
}

// HoldWorker commits on the branch of a first delivery before the work runs on the pool.
type HoldWorker struct {
	consumer *kafka.Consumer
	db       *sql.DB
}

func NewHoldWorker(brokers string, db *sql.DB) (*HoldWorker, error) {
	consumer, err := kafka.NewConsumer(&kafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "hold-ledger", "enable.auto.commit": false})
	if err != nil {
		return nil, err
	}
	return &HoldWorker{consumer: consumer, db: db}, consumer.Subscribe("hold.placed", nil)
}

func (w *HoldWorker) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		msg, err := w.consumer.ReadMessage(time.Second)
		if err != nil {
			continue
		}
		if err := w.hold(ctx, msg.Value); err != nil {
			return err
		}
		if _, err := w.consumer.CommitMessage(msg); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (w *HoldWorker) hold(ctx context.Context, payload []byte) error {
	var e holdPlaced
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
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return w.queue(ctx, e)
}

func (w *HoldWorker) queue(ctx context.Context, e holdPlaced) error {
	_, err := w.db.ExecContext(ctx, `INSERT INTO holds (reader, title) VALUES ($1, $2)`, e.Reader, e.Title) // want "R-KFK-IDEM-3"
	return err
}
