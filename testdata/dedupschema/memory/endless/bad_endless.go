// Package endless remembers every id.
package endless

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/segmentio/kafka-go"
)

type rung struct {
	EventID string `json:"eventId"`
}

type bell struct {
	seen sync.Map
	out  *kafka.Writer
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
		if _, dup := b.seen.LoadOrStore(ev.EventID, true); dup { // want "keeps its ids for ever"
			continue
		}
		if err := b.out.WriteMessages(ctx, kafka.Message{Value: m.Value}); err != nil {
			return err
		}
	}
}
