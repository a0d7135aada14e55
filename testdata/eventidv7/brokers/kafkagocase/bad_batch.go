// Package kafkagocase publishes events with segmentio/kafka-go.
package kafkagocase

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"
	"github.com/segmentio/kafka-go"
)

type pageTurned struct {
	EventID string `json:"event_id"`
	Reader  string `json:"reader"`
	Page    int    `json:"page"`
}

// library publishes a batch made in a loop.
type library struct {
	writer *kafka.Writer
}

func (l *library) turned(ctx context.Context, reader string, pages []int) error {
	msgs := make([]kafka.Message, 0, len(pages))
	for _, p := range pages {
		body, err := json.Marshal(pageTurned{EventID: uuid.NewString(), Reader: reader, Page: p}) // want "R-KFK-IDEM-1"
		if err != nil {
			return err
		}
		msgs = append(msgs, kafka.Message{Key: []byte(reader), Value: body})
	}
	return l.writer.WriteMessages(ctx, msgs...)
}
