package saramacase

import (
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/google/uuid"
)

type loafReturned struct {
	EventID string `json:"eventId"`
	SaleID  string `json:"saleId"`
	Attempt string `json:"attempt"`
}

// forwarder enriches the events of one topic and sends them to another under the id that they came with.
type forwarder struct {
	producer sarama.SyncProducer
}

func (*forwarder) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (*forwarder) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (f *forwarder) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		var ev loafReturned
		if err := json.Unmarshal(msg.Value, &ev); err != nil {
			return err
		}
		ev.Attempt = uuid.NewString()
		body, err := json.Marshal(ev)
		if err != nil {
			return err
		}
		if _, _, err := f.producer.SendMessage(&sarama.ProducerMessage{Topic: "bakery.returns", Value: sarama.ByteEncoder(body)}); err != nil {
			return err
		}
		s.MarkMessage(msg, "")
	}
	return nil
}
