package guarded

import (
	"context"
	"database/sql"
	"encoding/json"

	ckafka "github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

type genusFound struct {
	EventID string `json:"eventId"`
	Latin   string `json:"latin"`
	Family  string `json:"family"`
}

// GenusWorker is a guarded write: ON DUPLICATE KEY UPDATE sets the key to itself.
type GenusWorker struct {
	consumer *ckafka.Consumer
	db       *sql.DB
}

func NewGenusWorker(brokers string, db *sql.DB) (*GenusWorker, error) {
	c, err := ckafka.NewConsumer(&ckafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "genus"})
	if err != nil {
		return nil, err
	}
	return &GenusWorker{consumer: c, db: db}, c.Subscribe("genus.found", nil)
}

func (w *GenusWorker) Run(ctx context.Context) error {
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

func (w *GenusWorker) handle(ctx context.Context, body []byte) error {
	var e genusFound
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := w.db.ExecContext(ctx, "INSERT INTO genera (latin, family) VALUES (?, ?) ON DUPLICATE KEY UPDATE latin = latin", e.Latin, e.Family)
	return err
}
