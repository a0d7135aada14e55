package mysqlcase

import (
	"context"
	"database/sql"
	"encoding/json"

	wmkafka "github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/message"
)

type kittenWorkerEvent struct {
	EventID string `json:"eventId"`
	Farm    string `json:"farm"`
}

// KittenWorker writes on the transaction; right.
type KittenWorker struct {
	db *sql.DB
}

// Register binds the handler.
func (w *KittenWorker) Register(router *message.Router, sub *wmkafka.Subscriber) {
	router.AddNoPublisherHandler("kittenworker", "kittenworker", sub, func(msg *message.Message) error {
		return w.handle(msg.Context(), msg.Payload)
	})
}

func (w *KittenWorker) handle(ctx context.Context, payload []byte) error {
	var e kittenWorkerEvent
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
	if _, err := tx.ExecContext(ctx, "UPDATE farms SET cats = cats + 1 WHERE id = ?", e.Farm); err != nil {
		return err
	}
	return tx.Commit()
}
