package origin

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/segmentio/kafka-go"
)

// stockFeed publishes maps.
type stockFeed struct {
	writer *kafka.Writer
}

func (f *stockFeed) counted(ctx context.Context, sku string, n int) error {
	body, err := json.Marshal(map[string]any{
		"eventId":    uuid.NewString(), // want "R-KFK-IDEM-1"
		"type":       "stock.counted",
		"occurredAt": time.Now().UTC(),
		"sku":        sku,
		"count":      n,
	})
	if err != nil {
		return err
	}
	return f.writer.WriteMessages(ctx, kafka.Message{Key: []byte(sku), Value: body})
}

// moved assigns the key later.
func (f *stockFeed) moved(ctx context.Context, sku, shelf string) error {
	ev := map[string]string{"type": "stock.moved", "sku": sku, "shelf": shelf}
	ev["event_id"] = uuid.New().String() // want "R-KFK-IDEM-1"
	body, err := json.Marshal(ev)
	if err != nil {
		return err
	}
	return f.writer.WriteMessages(ctx, kafka.Message{Key: []byte(sku), Value: body})
}
