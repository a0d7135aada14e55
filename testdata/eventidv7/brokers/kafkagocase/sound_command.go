package kafkagocase

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"
	"github.com/segmentio/kafka-go"
)

// bookOrdered is an event whose only random ids name the order and the saga.
type bookOrdered struct {
	EventID string `json:"event_id"`
	OrderID string `json:"order_id"`
	SagaID  string `json:"saga_id"`
}

type orders struct{ events publisher }

func (o *orders) order(ctx context.Context, eventID string) (string, error) {
	order := uuid.NewString()
	return order, o.events.Publish(ctx, order, bookOrdered{EventID: eventID, OrderID: order, SagaID: uuid.NewString()})
}

// keyed: the random value is the record's key, which only chooses the partition.
func keyed(ctx context.Context, w *kafka.Writer, ev bookOrdered) error {
	body, err := json.Marshal(ev)
	if err != nil {
		return err
	}
	return w.WriteMessages(ctx, kafka.Message{Key: []byte(uuid.NewString()), Value: body})
}
