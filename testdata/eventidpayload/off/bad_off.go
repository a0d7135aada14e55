// Package off has one part of the rule switched off: the order of the fields.
package off

import (
	"context"
	"encoding/json"

	"github.com/segmentio/kafka-go"
)

type late struct {
	Line    string `json:"line"`
	EventID string `json:"eventId"`
}

type early struct {
	Line string `json:"line"`
}

func publish(ctx context.Context, w *kafka.Writer, id string) error {
	body, err := json.Marshal(late{"7", id})
	if err != nil {
		return err
	}
	if err := w.WriteMessages(ctx, kafka.Message{Value: body}); err != nil {
		return err
	}
	if body, err = json.Marshal(early{"7"}); err != nil {
		return err
	}
	return w.WriteMessages(ctx, kafka.Message{Value: body, Headers: []kafka.Header{{Key: "event_id", Value: []byte(id)}}}) // want "the event off.early is published with its id in the header event_id only"
}
