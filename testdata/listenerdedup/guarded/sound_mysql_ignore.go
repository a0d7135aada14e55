package guarded

import (
	"context"
	"database/sql"
	"encoding/json"

	ckafka "github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

type speciesFound struct {
	EventID string `json:"eventId"`
	Latin   string `json:"latin"`
	Family  string `json:"family"`
}

// SpeciesWorker is a guarded write: MySQL's INSERT IGNORE on the payload's name.
type SpeciesWorker struct {
	consumer *ckafka.Consumer
	db       *sql.DB
}

func NewSpeciesWorker(brokers string, db *sql.DB) (*SpeciesWorker, error) {
	c, err := ckafka.NewConsumer(&ckafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "species"})
	if err != nil {
		return nil, err
	}
	return &SpeciesWorker{consumer: c, db: db}, c.Subscribe("species.found", nil)
}

func (w *SpeciesWorker) Run(ctx context.Context) error {
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

func (w *SpeciesWorker) handle(ctx context.Context, body []byte) error {
	var e speciesFound
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := w.db.ExecContext(ctx, "INSERT IGNORE INTO species (latin, family) VALUES (?, ?)", e.Latin, e.Family)
	return err
}
