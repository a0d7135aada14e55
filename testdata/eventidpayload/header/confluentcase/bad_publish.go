// Package confluentcase publishes with confluent-kafka-go.
package confluentcase

import (
	"encoding/json"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

type badgeIssued struct {
	Holder string `json:"holder"`
}

func issued(p *kafka.Producer, topic kafka.TopicPartition, id, holder string) error {
	body, err := json.Marshal(&badgeIssued{Holder: holder})
	if err != nil {
		return err
	}
	return p.Produce(&kafka.Message{TopicPartition: topic, Value: body, Headers: []kafka.Header{{Key: "event_id", Value: []byte(id)}}}, nil) // want "the event confluentcase.badgeIssued is published with its id in the header event_id only"
}

func soundIssued(p *kafka.Producer, topic kafka.TopicPartition, holder string) error {
	body, err := json.Marshal(&badgeIssued{Holder: holder})
	if err != nil {
		return err
	}
	return p.Produce(&kafka.Message{TopicPartition: topic, Value: body, Headers: []kafka.Header{{Key: "source", Value: []byte("desk")}}}, nil)
}
