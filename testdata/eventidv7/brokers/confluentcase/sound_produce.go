package confluentcase

import (
	"encoding/json"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/google/uuid"
)

type passScanned struct {
	EventID string `json:"eventId"`
	Pass    string `json:"pass"`
}

// gate publishes with version 7; the delivery's opaque value is random and never leaves the process.
type gate struct {
	producer *kafka.Producer
}

func (g *gate) scanned(pass string) error {
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	body, err := json.Marshal(passScanned{EventID: id.String(), Pass: pass})
	if err != nil {
		return err
	}
	return g.producer.Produce(&kafka.Message{TopicPartition: slopes, Value: body, Opaque: uuid.New()}, nil)
}

// passSold is an entity's snapshot in the same topic: PassID names the pass.
type passSold struct {
	EventID string `json:"eventId"`
	PassID  string `json:"passId"`
}

func (g *gate) sold(eventID string) error {
	body, err := json.Marshal(passSold{EventID: eventID, PassID: uuid.NewString()})
	if err != nil {
		return err
	}
	return g.producer.Produce(&kafka.Message{
		TopicPartition: slopes,
		Value:          body,
		Headers:        []kafka.Header{{Key: "correlation-id", Value: []byte(uuid.NewString())}},
	}, nil)
}
