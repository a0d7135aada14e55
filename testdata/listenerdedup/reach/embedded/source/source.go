package source

import (
	"context"

	"github.com/segmentio/kafka-go"
)

// Delivery is a record without its Kafka type.
type Delivery struct {
	Body []byte
	Ack  func(ctx context.Context) error
}

// Source wraps a reader.
type Source struct {
	reader *kafka.Reader
}

// Open makes a source of a consumer group.
func Open(brokers []string, topic, group string) *Source {
	return &Source{reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: topic, GroupID: group})}
}

// Next waits for a record.
func (s *Source) Next(ctx context.Context) (Delivery, error) {
	m, err := s.reader.FetchMessage(ctx)
	if err != nil {
		return Delivery{}, err
	}
	return Delivery{Body: m.Value, Ack: func(ctx context.Context) error { return s.reader.CommitMessages(ctx, m) }}, nil
}
