package kafkagocase

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"
	"github.com/segmentio/kafka-go"
)

type shelfRead struct {
	EventID string `json:"event_id"`
	ScanID  string `json:"scan_id"`
	Shelf   string `json:"shelf"`
}

// scanner makes one random scan id for the batch and a version 7 for each event.
type scanner struct {
	writer *kafka.Writer
}

func (s *scanner) read(ctx context.Context, shelves []string) error {
	scan := uuid.NewString()
	var msgs []kafka.Message
	for _, shelf := range shelves {
		body, err := json.Marshal(shelfRead{EventID: uuid.Must(uuid.NewV7()).String(), ScanID: scan, Shelf: shelf})
		if err != nil {
			return err
		}
		msgs = append(msgs, kafka.Message{
			Key:     []byte(shelf),
			Value:   body,
			Headers: []kafka.Header{{Key: "trace_id", Value: []byte(uuid.NewString())}},
		})
	}
	return s.writer.WriteMessages(ctx, msgs...)
}
