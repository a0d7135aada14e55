// Package confluentcase publishes events with confluent-kafka-go.
package confluentcase

import (
	"encoding/json"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/google/uuid"
)

var (
	liftTopic = "lifts"
	slopes    = kafka.TopicPartition{Topic: &liftTopic, Partition: kafka.PartitionAny}
)

type liftStopped struct {
	EventID string `json:"eventId"`
	Lift    string `json:"lift"`
}

// resort publishes with Produce.
type resort struct {
	producer *kafka.Producer
}

func (r *resort) stopped(lift string) error {
	body, err := json.Marshal(liftStopped{uuid.NewString(), lift}) // want "R-KFK-IDEM-1"
	if err != nil {
		return err
	}
	return r.producer.Produce(&kafka.Message{TopicPartition: slopes, Key: []byte(lift), Value: body}, nil)
}

type liftStarted struct {
	EventID string `json:"eventId"`
	Lift    string `json:"lift"`
}

// started puts the message on the producer's channel.
func (r *resort) started(lift string) error {
	ev := liftStarted{Lift: lift}
	ev.EventID = uuid.New().String() // want "R-KFK-IDEM-1"
	body, err := json.Marshal(ev)
	if err != nil {
		return err
	}
	r.producer.ProduceChannel() <- &kafka.Message{TopicPartition: slopes, Value: body}
	return nil
}
