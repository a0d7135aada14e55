// Package watermillcase publishes events with watermill on Kafka.
package watermillcase

import (
	"encoding/json"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/google/uuid"
)

type bedMade struct {
	EventID string `json:"eventId"`
	Room    string `json:"room"`
}

// housekeeping publishes with the Kafka publisher.
type housekeeping struct {
	publisher *kafka.Publisher
}

func (h *housekeeping) made(room string) error {
	payload, err := json.Marshal(bedMade{EventID: uuid.NewString(), Room: room}) // want "R-KFK-IDEM-1"
	if err != nil {
		return err
	}
	return h.publisher.Publish("beds", message.NewMessage(watermill.NewUUID(), payload))
}

type bedStripped struct {
	EventID string `json:"eventId"`
	Room    string `json:"room"`
}

// stripped gives watermill's random UUID to the event too.
func (h *housekeeping) stripped(room string) error {
	id := watermill.NewUUID() // want "R-KFK-IDEM-1"
	payload, err := json.Marshal(bedStripped{EventID: id, Room: room})
	if err != nil {
		return err
	}
	return h.publisher.Publish("beds", message.NewMessage(id, payload))
}

type bedBroken struct {
	EventID string `json:"eventId"`
	Room    string `json:"room"`
}

// broken and its twin use watermill's other generators.
func (h *housekeeping) broken(room string) error {
	payload, err := json.Marshal(bedBroken{EventID: watermill.NewULID(), Room: room}) // want "R-KFK-IDEM-1"
	if err != nil {
		return err
	}
	return h.publisher.Publish("beds", message.NewMessage(watermill.NewUUID(), payload))
}

func (h *housekeeping) brokenShort(room string) error {
	payload, err := json.Marshal(bedBroken{EventID: watermill.NewShortUUID(), Room: room}) // want "R-KFK-IDEM-1"
	if err != nil {
		return err
	}
	return h.publisher.Publish("beds", message.NewMessage(watermill.NewUUID(), payload))
}
