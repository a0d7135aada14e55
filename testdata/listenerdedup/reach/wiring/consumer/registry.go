package consumer

import (
	"context"
	"fmt"

	"github.com/IBM/sarama"
)

// Registry dispatches by topic to handlers that other packages register.
type Registry struct {
	handlers map[string]func(ctx context.Context, body []byte) error
}

// Register binds a handler to a topic.
func (r *Registry) Register(topic string, h func(ctx context.Context, body []byte) error) {
	if r.handlers == nil {
		r.handlers = map[string]func(ctx context.Context, body []byte) error{}
	}
	r.handlers[topic] = h
}

func (r *Registry) Setup(sarama.ConsumerGroupSession) error { return nil }

func (r *Registry) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (r *Registry) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		h, ok := r.handlers[msg.Topic]
		if !ok {
			return fmt.Errorf("no handler for %s", msg.Topic)
		}
		if err := h(session.Context(), msg.Value); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}
