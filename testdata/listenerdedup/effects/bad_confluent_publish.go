package effects

import (
	"context"
	"encoding/json"

	ckafka "github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

type fanTurned struct {
	EventID string `json:"eventId"`
	Room    string `json:"room"`
}

// FanWorker has a publish with confluent as its effect and no gate.
type FanWorker struct {
	consumer *ckafka.Consumer
	producer *ckafka.Producer
}

func NewFanWorker(brokers string, producer *ckafka.Producer) (*FanWorker, error) {
	c, err := ckafka.NewConsumer(&ckafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "fan"})
	if err != nil {
		return nil, err
	}
	return &FanWorker{consumer: c, producer: producer}, c.Subscribe("fan.turned", nil)
}

func (w *FanWorker) Run(ctx context.Context) error {
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

func (w *FanWorker) handle(ctx context.Context, body []byte) error {
	var e fanTurned
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	topic := "rooms.air"
	return w.producer.Produce(&ckafka.Message{TopicPartition: ckafka.TopicPartition{Topic: &topic, Partition: ckafka.PartitionAny}, Key: []byte(e.Room), Value: body}, nil) // want "R-KFK-IDEM-X1"
}
