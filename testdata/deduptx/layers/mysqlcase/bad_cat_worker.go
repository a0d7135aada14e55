package mysqlcase

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

type catWorkerEvent struct {
	EventID string `json:"eventId"`
	Farm    string `json:"farm"`
}

// CatWorker writes on the pool beside an INSERT IGNORE in the transaction.
type CatWorker struct {
	db       *sql.DB
	consumer *kafka.Consumer
}

// Run polls.
func (w *CatWorker) Run(ctx context.Context) error {
	for {
		msg, err := w.consumer.ReadMessage(-1)
		if err != nil {
			return err
		}
		if err := w.handle(ctx, msg.Value); err != nil {
			return err
		}
		if _, err := w.consumer.CommitMessage(msg); err != nil {
			return err
		}
	}
}

func (w *CatWorker) handle(ctx context.Context, payload []byte) error {
	var e catWorkerEvent
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, "INSERT IGNORE INTO processed_events (event_id) VALUES (?)", e.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := w.db.ExecContext(ctx, "UPDATE farms SET cats = cats + 1 WHERE id = ?", e.Farm); err != nil { // want "R-KFK-IDEM-3"
		return err
	}
	return tx.Commit()
}
