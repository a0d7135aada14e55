package watermillcase

import (
	"encoding/json"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/google/uuid"
)

type guestLeft struct {
	EventID string `json:"eventId"`
	Room    string `json:"room"`
}

type cleaningDue struct {
	EventID string `json:"eventId"`
	Room    string `json:"room"`
}

// planner answers each event by another; the router publishes what the handler returns.
type planner struct{}

func (p planner) register(router *message.Router, sub *kafka.Subscriber, pub *kafka.Publisher) {
	router.AddHandler("cleaning", "guests", sub, "cleaning", pub, p.plan)
}

func (planner) plan(msg *message.Message) ([]*message.Message, error) {
	var in guestLeft
	if err := json.Unmarshal(msg.Payload, &in); err != nil {
		return nil, err
	}
	payload, err := json.Marshal(cleaningDue{EventID: uuid.NewString(), Room: in.Room}) // want "R-KFK-IDEM-1"
	if err != nil {
		return nil, err
	}
	return []*message.Message{message.NewMessage(watermill.NewUUID(), payload)}, nil
}
