package idfield

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/segmentio/kafka-go"
)

// bellRungEvent has no siblings; it is called an event and is published.
type bellRungEvent struct {
	ID   string `json:"id"`
	Bell string `json:"bell"`
}

type tower struct {
	writer *kafka.Writer
}

func (t *tower) rung(ctx context.Context, bell string) error {
	body, err := json.Marshal(bellRungEvent{ID: uuid.NewString(), Bell: bell}) // want "R-KFK-IDEM-1"
	if err != nil {
		return err
	}
	return t.writer.WriteMessages(ctx, kafka.Message{Key: []byte(bell), Value: body})
}

// clockStruck is not called an event; it is published and has what an event has.
type clockStruck struct {
	ID   uuid.UUID `json:"id"`
	Kind string    `json:"kind"`
	Time time.Time `json:"time"`
	Hour int       `json:"hour"`
}

func (t *tower) struck(ctx context.Context, hour int) error {
	ev := &clockStruck{Kind: "clock.struck", Time: time.Now(), Hour: hour}
	ev.ID = uuid.New() // want "R-KFK-IDEM-1"
	body, err := json.Marshal(ev)
	if err != nil {
		return err
	}
	return t.writer.WriteMessages(ctx, kafka.Message{Value: body})
}
