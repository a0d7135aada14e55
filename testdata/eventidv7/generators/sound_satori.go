package generators

import (
	"time"

	google "github.com/google/uuid"
	uuid "github.com/satori/go.uuid"
)

// buoyDoused keeps satori's type; the bytes are google's version 7.
type buoyDoused struct {
	EventID    uuid.UUID `json:"eventId"`
	Type       string    `json:"type"`
	OccurredAt time.Time `json:"occurredAt"`
	Tour       uuid.UUID `json:"tour"`
}

func douseBuoy() buoyDoused {
	return buoyDoused{EventID: uuid.UUID(google.Must(google.NewV7())), Type: "buoy.doused", OccurredAt: time.Now(), Tour: uuid.NewV4()}
}

func douseBuoyNamed(tour uuid.UUID, buoy string) buoyDoused {
	return buoyDoused{EventID: uuid.NewV5(tour, buoy), Type: "buoy.doused", OccurredAt: time.Now(), Tour: tour}
}

func douseBuoyGiven(id string) (buoyDoused, error) {
	parsed, err := uuid.FromString(id)
	return buoyDoused{EventID: parsed, Type: "buoy.doused", OccurredAt: time.Now()}, err
}
