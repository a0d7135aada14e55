package origin

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/twmb/franz-go/pkg/kgo"
)

// wrapped is the house's generic envelope.
type wrapped[T any] struct {
	EventID    uuid.UUID `json:"eventId"`
	Type       string    `json:"type"`
	OccurredAt time.Time `json:"occurredAt"`
	Data       T         `json:"data"`
}

func wrap[T any](typ string, data T) wrapped[T] {
	return wrapped[T]{
		EventID:    uuid.New(), // want "R-KFK-IDEM-1"
		Type:       typ,
		OccurredAt: time.Now(),
		Data:       data,
	}
}

type ferryLoad struct{ Cars, People int }

func ferryLeft(ctx context.Context, client *kgo.Client, load ferryLoad) error {
	body, err := json.Marshal(wrap("ferry.left", load))
	if err != nil {
		return err
	}
	return client.ProduceSync(ctx, &kgo.Record{Topic: "ferries", Value: body}).FirstErr()
}

// ferryMoored fills the generic type itself.
func ferryMoored(ctx context.Context, client *kgo.Client, load ferryLoad) error {
	ev := &wrapped[ferryLoad]{Type: "ferry.moored", OccurredAt: time.Now(), Data: load}
	ev.EventID = uuid.New() // want "R-KFK-IDEM-1"
	body, err := json.Marshal(ev)
	if err != nil {
		return err
	}
	return client.ProduceSync(ctx, &kgo.Record{Topic: "ferries", Value: body}).FirstErr()
}
