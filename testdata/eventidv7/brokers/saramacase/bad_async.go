package saramacase

import (
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/google/uuid"
)

type trayBurnt struct {
	EventID uuid.UUID `json:"eventId"`
	Oven    string    `json:"oven"`
}

// asyncBakery publishes over the channel of the asynchronous producer, and marshals in a helper.
type asyncBakery struct {
	producer sarama.AsyncProducer
}

func (b *asyncBakery) burnt(oven string) error {
	return b.publish("bakery.trays", oven, trayBurnt{EventID: uuid.New(), Oven: oven}) // want "R-KFK-IDEM-1"
}

func (b *asyncBakery) publish(topic, key string, ev any) error {
	body, err := json.Marshal(ev)
	if err != nil {
		return err
	}
	b.producer.Input() <- &sarama.ProducerMessage{Topic: topic, Key: sarama.StringEncoder(key), Value: sarama.ByteEncoder(body)}
	return nil
}
