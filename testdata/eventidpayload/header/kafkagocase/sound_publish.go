package kafkagocase

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"
	"github.com/segmentio/kafka-go"
)

// loaded has its id in the payload, and in a header besides.
type loaded struct {
	EventID string `json:"eventId"`
	Ship    string `json:"ship"`
}

func (p *port) loaded(ctx context.Context, ship string) error {
	id := uuid.Must(uuid.NewV7()).String()
	body, err := json.Marshal(loaded{EventID: id, Ship: ship})
	if err != nil {
		return err
	}
	return p.out.WriteMessages(ctx, kafka.Message{Value: body, Headers: []kafka.Header{{Key: "event_id", Value: []byte(id)}}})
}

// position is no event: it has no id anywhere.
type position struct {
	Ship     string  `json:"ship"`
	Lat, Lon float64 `json:"-"`
}

func (p *port) position(ctx context.Context, ship string) error {
	body, err := json.Marshal(position{Ship: ship})
	if err != nil {
		return err
	}
	return p.out.WriteMessages(ctx, kafka.Message{Value: body, Headers: []kafka.Header{
		{Key: "traceparent", Value: []byte("00-0-0-00")}, {Key: "request_id", Value: []byte(uuid.NewString())},
	}})
}

// manifest is a document with an id of its own: whether that names the event is
// for its owner to say.
type manifest struct {
	ID    string   `json:"id"`
	Goods []string `json:"goods"`
}

func (p *port) manifest(ctx context.Context, m manifest) error {
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return p.out.WriteMessages(ctx, kafka.Message{Value: body, Headers: []kafka.Header{{Key: "event-id", Value: []byte(m.ID)}}})
}

// forwarded sends bytes that are not known here on, with their headers.
func (p *port) forwarded(ctx context.Context, msg kafka.Message) error {
	return p.out.WriteMessages(ctx, kafka.Message{Value: msg.Value, Headers: append(msg.Headers, kafka.Header{Key: "event_id", Value: msg.Key})})
}

// wrapped puts the payload into an envelope that has the id.
type envelope struct {
	Meta struct {
		EventID string `json:"event_id"`
	} `json:"meta"`
	Data any `json:"data"`
}

func (p *port) wrapped(ctx context.Context, id string, b berthed) error {
	env := envelope{Data: b}
	env.Meta.EventID = id
	body, err := json.Marshal(env)
	if err != nil {
		return err
	}
	return p.out.WriteMessages(ctx, kafka.Message{Value: body, Headers: []kafka.Header{{Key: "event_id", Value: []byte(id)}}})
}
