package committed

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

type bookLent struct {
	EventID string `json:"eventId"`
	Branch  string `json:"branch"`
}

// LoanWorker commits between the mark and the work, which then runs on the pool.
type LoanWorker struct {
	consumer *kafka.Consumer
	db       *sql.DB
}

func NewLoanWorker(brokers string, db *sql.DB) (*LoanWorker, error) {
	consumer, err := kafka.NewConsumer(&kafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "book-ledger", "enable.auto.commit": false})
	if err != nil {
		return nil, err
	}
	return &LoanWorker{consumer: consumer, db: db}, consumer.Subscribe("book.lent", nil)
}

func (w *LoanWorker) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		msg, err := w.consumer.ReadMessage(time.Second)
		if err != nil {
			continue
		}
		if err := w.lend(ctx, msg.Value); err != nil {
			return err
		}
		if _, err := w.consumer.CommitMessage(msg); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (w *LoanWorker) lend(ctx context.Context, payload []byte) error {
	var e bookLent
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
	_, err = w.db.ExecContext(ctx, `UPDATE branches SET lent = lent + 1 WHERE id = $1`, e.Branch) // want "R-KFK-IDEM-3"
	return err
}
