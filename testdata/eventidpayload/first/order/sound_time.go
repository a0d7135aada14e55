package order

import (
	"context"
	"encoding/json"
	"time"

	"github.com/segmentio/kafka-go"
)

// Press sends what it gets on, with the time as the record's key.
type Press struct {
	reader *kafka.Reader
	writer *kafka.Writer
}

type leafPressed struct {
	EventID string `json:"eventId"`
	Leaf    string `json:"leaf"`
}

// Run presses each leaf.
func (p *Press) Run(ctx context.Context) error {
	for {
		m, err := p.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var leaf leafPressed
		if err := json.Unmarshal(m.Value, &leaf); err != nil {
			return err
		}
		value, err := json.Marshal(leaf)
		if err != nil {
			return err
		}
		key, err := time.Now().MarshalBinary()
		if err != nil {
			return err
		}
		if err := p.writer.WriteMessages(ctx, kafka.Message{Key: key, Value: value}); err != nil {
			return err
		}
		if err := p.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}
