package idfield

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/segmentio/kafka-go"
)

// GarageOpened is an event whose ID is version 7; the garage in it has a random one.
type GarageOpened struct {
	ID         uuid.UUID `json:"id"`
	Type       string    `json:"type"`
	OccurredAt time.Time `json:"occurredAt"`
	Garage     Garage    `json:"garage"`
}

// Garage is the entity inside.
type Garage struct {
	ID   uuid.UUID `json:"id"`
	Type string    `json:"type"`
}

func openGarage(ctx context.Context, w *kafka.Writer) error {
	garage := Garage{ID: uuid.New(), Type: "multi-storey"}
	body, err := json.Marshal(GarageOpened{
		ID:         uuid.Must(uuid.NewV7()),
		Type:       "garage.opened",
		OccurredAt: time.Now(),
		Garage:     garage,
	})
	if err != nil {
		return err
	}
	return w.WriteMessages(ctx, kafka.Message{Key: garage.ID[:], Value: body})
}

// BarrierEvent has both: EventID names the event, ID the barrier.
type BarrierEvent struct {
	EventID    uuid.UUID `json:"eventId"`
	ID         uuid.UUID `json:"id"`
	Type       string    `json:"type"`
	OccurredAt time.Time `json:"occurredAt"`
}

func installBarrier(ctx context.Context, w *kafka.Writer) error {
	body, err := json.Marshal(BarrierEvent{EventID: uuid.Must(uuid.NewV7()), ID: uuid.New(), Type: "barrier.installed", OccurredAt: time.Now()})
	if err != nil {
		return err
	}
	return w.WriteMessages(ctx, kafka.Message{Value: body})
}
