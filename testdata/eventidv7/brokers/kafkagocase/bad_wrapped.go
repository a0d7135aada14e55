package kafkagocase

import (
	"context"
	"encoding/json"
	"io"

	"github.com/google/uuid"
	"github.com/segmentio/kafka-go"
)

// publisher is what the service knows of the broker.
type publisher interface {
	Publish(ctx context.Context, key string, ev any) error
	io.Closer
}

// topicWriter is the only publisher.
type topicWriter struct{ *kafka.Writer }

func (w topicWriter) Publish(ctx context.Context, key string, ev any) error {
	body, err := json.Marshal(ev)
	if err != nil {
		return err
	}
	return w.WriteMessages(ctx, kafka.Message{Key: []byte(key), Value: body})
}

var _ publisher = topicWriter{}

type bookTornEvent struct {
	EventID string `json:"event_id"`
	Book    string `json:"book"`
}

// repairs publishes over the interface.
type repairs struct{ events publisher }

func newRepairs(w *kafka.Writer) *repairs { return &repairs{events: topicWriter{w}} }

func (r *repairs) torn(ctx context.Context, book string) error {
	return r.events.Publish(ctx, book, &bookTornEvent{EventID: uuid.NewString(), Book: book}) // want "R-KFK-IDEM-1"
}
