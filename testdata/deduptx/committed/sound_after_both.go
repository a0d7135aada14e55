package committed

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

type bookReturned struct {
	EventID string `json:"eventId"`
	Branch  string `json:"branch"`
}

// ReturnWorker commits after the mark and the work; right: both stand or fall together.
type ReturnWorker struct {
	consumer *kafka.Consumer
	db       *sql.DB
}

func NewReturnWorker(brokers string, db *sql.DB) (*ReturnWorker, error) {
	consumer, err := kafka.NewConsumer(&kafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "book-ledger", "enable.auto.commit": false})
	if err != nil {
		return nil, err
	}
	return &ReturnWorker{consumer: consumer, db: db}, consumer.Subscribe("book.returned", nil)
}

func (w *ReturnWorker) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		msg, err := w.consumer.ReadMessage(time.Second)
		if err != nil {
			continue
		}
		if err := w.giveBack(ctx, msg.Value); err != nil {
			return err
		}
		if _, err := w.consumer.CommitMessage(msg); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (w *ReturnWorker) giveBack(ctx context.Context, payload []byte) error {
	var e bookReturned
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
	if _, err := tx.ExecContext(ctx, `UPDATE branches SET lent = lent - 1 WHERE id = $1`, e.Branch); err != nil {
		return err
	}
	return tx.Commit()
}
