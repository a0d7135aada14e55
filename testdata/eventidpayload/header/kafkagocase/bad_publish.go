// Package kafkagocase publishes with kafka-go.
package kafkagocase

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"
	"github.com/segmentio/kafka-go"
)

// berthed has nothing that names the event.
type berthed struct {
	Ship  string `json:"ship"`
	Berth int    `json:"berth"`
}

// port publishes.
type port struct{ out *kafka.Writer }

func (p *port) berthed(ctx context.Context, ship string, berth int) error {
	body, err := json.Marshal(berthed{Ship: ship, Berth: berth})
	if err != nil {
		return err
	}
	return p.out.WriteMessages(ctx, kafka.Message{ // want "the event kafkagocase.berthed is published with its id in the header event_id only"
		Key:     []byte(ship),
		Value:   body,
		Headers: []kafka.Header{{Key: "event_type", Value: []byte("ship.berthed")}, {Key: "event_id", Value: []byte(uuid.Must(uuid.NewV7()).String())}},
	})
}

type left struct {
	Ship string `json:"ship"`
}

// publish is a helper that puts the header on.
func (p *port) publish(ctx context.Context, id uuid.UUID, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	msg := kafka.Message{Value: body}
	msg.Headers = append(msg.Headers, kafka.Header{Key: "X-Event-ID", Value: []byte(id.String())})
	return p.out.WriteMessages(ctx, msg) // want "the event kafkagocase.left is published with its id in the header X-Event-ID only"
}

func (p *port) left(ctx context.Context, ship string) error {
	return p.publish(ctx, uuid.Must(uuid.NewV7()), left{Ship: ship})
}
