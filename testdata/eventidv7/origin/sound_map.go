package origin

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/segmentio/kafka-go"
)

// shelfFeed publishes maps whose event id is version 7 beside other random ids.
type shelfFeed struct {
	writer *kafka.Writer
}

func (f *shelfFeed) emptied(ctx context.Context, shelf string) error {
	body, err := json.Marshal(map[string]any{
		"eventId":       uuid.Must(uuid.NewV7()),
		"correlationId": uuid.NewString(),
		"type":          "shelf.emptied",
		"occurredAt":    time.Now().UTC(),
		"shelf":         shelf,
	})
	if err != nil {
		return err
	}
	return f.writer.WriteMessages(ctx, kafka.Message{Key: []byte(shelf), Value: body})
}

// labelled: the map's random value is the label's.
func (f *shelfFeed) labelled(ctx context.Context, eventID, shelf string) error {
	ev := map[string]string{"event_id": eventID, "shelf": shelf}
	ev["label"] = uuid.NewString()
	body, err := json.Marshal(ev)
	if err != nil {
		return err
	}
	return f.writer.WriteMessages(ctx, kafka.Message{Key: []byte(shelf), Value: body})
}

// seen is a map by event id; the random value is not under that name.
func seen(eventID string) map[string]string {
	return map[string]string{eventID: uuid.NewString()}
}
