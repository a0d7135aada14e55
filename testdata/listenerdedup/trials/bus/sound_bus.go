// Package bus dispatches events to registered handlers.
package bus

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/IBM/sarama"
)

// Event is an event.
type Event struct {
	Type string          `json:"type"`
	Data json.RawMessage `json:"data"`
}

// Handler handles one.
type Handler func(ctx context.Context, ev *Event) error

// Consumer is a consumer group.
type Consumer struct {
	group    sarama.ConsumerGroup
	topics   []string
	mu       sync.RWMutex
	handlers map[string]Handler
}

// New joins a group.
func New(group sarama.ConsumerGroup, topics []string) (*Consumer, error) {
	return &Consumer{group: group, topics: topics, handlers: make(map[string]Handler)}, nil
}

// Register sets the handler of a type.
func (c *Consumer) Register(typ string, h Handler) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.handlers[typ] = h
}

// Run consumes.
func (c *Consumer) Run(ctx context.Context) error { return c.group.Consume(ctx, c.topics, c) }

// Setup is part of sarama's interface.
func (c *Consumer) Setup(sarama.ConsumerGroupSession) error { return nil }

// Cleanup is part of sarama's interface.
func (c *Consumer) Cleanup(sarama.ConsumerGroupSession) error { return nil }

// ConsumeClaim is part of sarama's interface.
func (c *Consumer) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		var ev Event
		if err := json.Unmarshal(msg.Value, &ev); err != nil {
			s.MarkMessage(msg, "")
			continue
		}
		c.mu.RLock()
		h, ok := c.handlers[ev.Type]
		c.mu.RUnlock()
		if !ok {
			s.MarkMessage(msg, "")
			continue
		}
		if err := h(s.Context(), &ev); err != nil {
			return err
		}
		s.MarkMessage(msg, "")
	}
	return nil
}
