package effects

import (
	"context"
	"database/sql"
	"encoding/json"

	ckafka "github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

type ventTurned struct {
	EventID string `json:"eventId"`
	Room    string `json:"room"`
}

// VentWorker is sound for this rule: a publish with confluent stands behind the mark of the event.
type VentWorker struct {
	consumer *ckafka.Consumer
	db       *sql.DB
	producer *ckafka.Producer
}

func NewVentWorker(brokers string, db *sql.DB, producer *ckafka.Producer) (*VentWorker, error) {
	c, err := ckafka.NewConsumer(&ckafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "vent"})
	if err != nil {
		return nil, err
	}
	return &VentWorker{consumer: c, db: db, producer: producer}, c.Subscribe("vent.turned", nil)
}

func (w *VentWorker) Run(ctx context.Context) error {
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

func (w *VentWorker) handle(ctx context.Context, body []byte) error {
	var e ventTurned
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	res, err := w.db.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'vent') ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	topic := "rooms.air"
	return w.producer.Produce(&ckafka.Message{TopicPartition: ckafka.TopicPartition{Topic: &topic, Partition: ckafka.PartitionAny}, Key: []byte(e.Room), Value: body}, nil)
}
