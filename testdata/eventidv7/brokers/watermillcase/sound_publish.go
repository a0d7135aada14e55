package watermillcase

import (
	"encoding/json"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/google/uuid"
)

type towelTaken struct {
	EventID string `json:"eventId"`
	Room    string `json:"room"`
}

// laundry: the payload's id is version 7; watermill's own UUID is the message's and travels in a header.
type laundry struct {
	publisher *kafka.Publisher
}

func (l *laundry) taken(room string) error {
	payload, err := json.Marshal(towelTaken{EventID: uuid.Must(uuid.NewV7()).String(), Room: room})
	if err != nil {
		return err
	}
	msg := message.NewMessage(watermill.NewUUID(), payload)
	msg.Metadata.Set("correlation_id", watermill.NewShortUUID())
	return l.publisher.Publish("towels", msg)
}

type towelWashed struct {
	EventID string `json:"eventId"`
	Load    string `json:"load"`
}

// washed answers an event under an id that is computed of it.
func (l *laundry) washed(msg *message.Message) ([]*message.Message, error) {
	var in towelTaken
	if err := json.Unmarshal(msg.Payload, &in); err != nil {
		return nil, err
	}
	id := uuid.NewSHA1(uuid.NameSpaceOID, []byte("washed/"+in.EventID))
	payload, err := json.Marshal(towelWashed{EventID: id.String(), Load: watermill.NewULID()})
	if err != nil {
		return nil, err
	}
	return []*message.Message{message.NewMessage(watermill.NewUUID(), payload)}, nil
}

func (l *laundry) register(router *message.Router, sub *kafka.Subscriber) {
	router.AddHandler("laundry", "towels", sub, "washed", l.publisher, l.washed)
}
