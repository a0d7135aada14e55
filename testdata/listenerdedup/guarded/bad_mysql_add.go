package guarded

import (
	"context"
	"database/sql"
	"encoding/json"

	ckafka "github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

type shellFound struct {
	EventID string `json:"eventId"`
	Beach   string `json:"beach"`
	Pieces  int    `json:"pieces"`
}

// ShellWorker adds in ON DUPLICATE KEY UPDATE: a replay adds again.
type ShellWorker struct {
	consumer *ckafka.Consumer
	db       *sql.DB
}

func NewShellWorker(brokers string, db *sql.DB) (*ShellWorker, error) {
	c, err := ckafka.NewConsumer(&ckafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "shell"})
	if err != nil {
		return nil, err
	}
	return &ShellWorker{consumer: c, db: db}, c.Subscribe("shell.found", nil)
}

func (w *ShellWorker) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		ev := w.consumer.Poll(200)
		msg, ok := ev.(*ckafka.Message)
		if !ok {
			continue
		}
		if err := w.handle(ctx, msg.Value); err != nil {
			return err
		}
		if _, err := w.consumer.StoreMessage(msg); err != nil {
			return err
		}
	}
	return nil
}

func (w *ShellWorker) handle(ctx context.Context, body []byte) error {
	var e shellFound
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := w.db.ExecContext(ctx, "INSERT INTO shells (beach, pieces) VALUES (?, ?) ON DUPLICATE KEY UPDATE pieces = pieces + VALUES(pieces)", e.Beach, e.Pieces) // want "R-KFK-IDEM-X1"
	return err
}
