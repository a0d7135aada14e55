package guarded

import (
	"context"
	"database/sql"
	"encoding/json"

	ckafka "github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

type coralMapped struct {
	EventID string `json:"eventId"`
	Reef    string `json:"reef"`
	State   string `json:"state"`
}

// CoralWorker replaces the whole row.
type CoralWorker struct {
	consumer *ckafka.Consumer
	db       *sql.DB
}

func NewCoralWorker(brokers string, db *sql.DB) (*CoralWorker, error) {
	c, err := ckafka.NewConsumer(&ckafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "coral"})
	if err != nil {
		return nil, err
	}
	return &CoralWorker{consumer: c, db: db}, c.Subscribe("coral.mapped", nil)
}

func (w *CoralWorker) Run(ctx context.Context) error {
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

func (w *CoralWorker) handle(ctx context.Context, body []byte) error {
	var e coralMapped
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := w.db.ExecContext(ctx, "REPLACE INTO corals (reef, state) VALUES (?, ?)", e.Reef, e.State) // want "R-KFK-IDEM-X1.*overwrit"
	return err
}
