// Package watermillcase publishes with watermill.
package watermillcase

import (
	"encoding/json"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"
)

type tideTurned struct {
	Harbour string `json:"harbour"`
}

func turned(pub message.Publisher, id, harbour string) error {
	body, err := json.Marshal(tideTurned{harbour})
	if err != nil {
		return err
	}
	msg := message.NewMessage(watermill.NewUUID(), body)
	msg.Metadata.Set("event_id", id)
	return pub.Publish("tides", msg) // want "the event watermillcase.tideTurned is published with its id in the header event_id only"
}

type tideMissed struct {
	EventID string `json:"event_id"`
	Harbour string `json:"harbour"`
}

func soundMissed(pub message.Publisher, id, harbour string) error {
	body, err := json.Marshal(tideMissed{id, harbour})
	if err != nil {
		return err
	}
	msg := message.NewMessage(watermill.NewUUID(), body)
	msg.Metadata.Set("event_id", id)
	return pub.Publish("tides", msg)
}

// soundTurned's message has watermill's UUID, as every message has.
func soundTurned(pub message.Publisher, harbour string) error {
	body, err := json.Marshal(tideTurned{harbour})
	if err != nil {
		return err
	}
	msg := message.NewMessage(watermill.NewUUID(), body)
	msg.Metadata.Set("kind", "tide")
	return pub.Publish("tides", msg)
}
