// Package bounded forgets the oldest id when there are too many.
package bounded

import (
	"context"
	"encoding/json"

	"github.com/segmentio/kafka-go"
)

type rung struct {
	EventID string `json:"eventId"`
}

type bell struct {
	seen  map[string]bool
	order []string
	out   *kafka.Writer
}

func (b *bell) remember(id string) {
	b.seen[id] = true
	b.order = append(b.order, id)
	if len(b.order) > 10000 {
		delete(b.seen, b.order[0])
		b.order = b.order[1:]
	}
}

func (b *bell) run(ctx context.Context, r *kafka.Reader) error {
	for {
		m, err := r.ReadMessage(ctx)
		if err != nil {
			return err
		}
		var ev rung
		if err := json.Unmarshal(m.Value, &ev); err != nil {
			continue
		}
		if b.seen[ev.EventID] {
			continue
		}
		if err := b.out.WriteMessages(ctx, kafka.Message{Value: m.Value}); err != nil {
			return err
		}
		b.remember(ev.EventID)
	}
}
