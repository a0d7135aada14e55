package guarded

import (
	"context"
	"database/sql"
	"encoding/json"

	ckafka "github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

type fossilFound struct {
	EventID string `json:"eventId"`
	Label   string `json:"label"`
	Layer   string `json:"layer"`
}

// FossilWorker overwrites the layer with ON DUPLICATE KEY UPDATE.
type FossilWorker struct {
	consumer *ckafka.Consumer
	db       *sql.DB
}

func NewFossilWorker(brokers string, db *sql.DB) (*FossilWorker, error) {
	c, err := ckafka.NewConsumer(&ckafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "fossil"})
	if err != nil {
		return nil, err
	}
	return &FossilWorker{consumer: c, db: db}, c.Subscribe("fossil.found", nil)
}

func (w *FossilWorker) Run(ctx context.Context) error {
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

func (w *FossilWorker) handle(ctx context.Context, body []byte) error {
	var e fossilFound
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := w.db.ExecContext(ctx, "INSERT INTO fossils (label, layer) VALUES (?, ?) ON DUPLICATE KEY UPDATE layer = VALUES(layer)", e.Label, e.Layer) // want "R-KFK-IDEM-X1.*overwrit"
	return err
}
