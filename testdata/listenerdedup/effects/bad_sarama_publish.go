package effects

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
)

type mailSorted struct {
	EventID string `json:"eventId"`
	Town    string `json:"town"`
}

// RouteWorker has a publish with sarama as its effect and no gate.
type RouteWorker struct {
	producer sarama.SyncProducer
}

func NewRouteWorker(producer sarama.SyncProducer) *RouteWorker {
	return &RouteWorker{producer: producer}
}

func (w *RouteWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *RouteWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *RouteWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *RouteWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e mailSorted
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	_, _, err := w.producer.SendMessage(&sarama.ProducerMessage{Topic: "mail.by-town", Key: sarama.StringEncoder(e.Town), Value: sarama.ByteEncoder(msg.Value)}) // want "R-KFK-IDEM-X1"
	return err
}
