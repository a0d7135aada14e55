package generators

import (
	"time"

	"github.com/gofrs/uuid/v5"
)

// craneMoved is an event of the harbour.
type craneMoved struct {
	EventID    uuid.UUID `json:"eventId"`
	Type       string    `json:"type"`
	OccurredAt time.Time `json:"occurredAt"`
	Crane      string    `json:"crane"`
}

func moveCrane(crane string) (craneMoved, error) {
	id, err := uuid.NewV4() // want "R-KFK-IDEM-1"
	if err != nil {
		return craneMoved{}, err
	}
	return craneMoved{EventID: id, Type: "crane.moved", OccurredAt: time.Now(), Crane: crane}, nil
}

func moveCraneMust(crane string) craneMoved {
	return craneMoved{EventID: uuid.Must(uuid.NewV4()), Type: "crane.moved", OccurredAt: time.Now(), Crane: crane} // want "R-KFK-IDEM-1"
}

func moveCraneV1(crane string) craneMoved {
	return craneMoved{EventID: uuid.Must(uuid.NewV1()), Type: "crane.moved", OccurredAt: time.Now(), Crane: crane} // want "R-KFK-IDEM-1"
}

func moveCraneV6(crane string) craneMoved {
	return craneMoved{EventID: uuid.Must(uuid.NewV6()), Type: "crane.moved", OccurredAt: time.Now(), Crane: crane} // want "R-KFK-IDEM-1"
}

// craneYard has a generator of its own.
type craneYard struct{ gen *uuid.Gen }

func newCraneYard() *craneYard { return &craneYard{gen: uuid.NewGen()} }

func (y *craneYard) move(crane string) (craneMoved, error) {
	id, err := y.gen.NewV4() // want "R-KFK-IDEM-1"
	return craneMoved{EventID: id, Type: "crane.moved", OccurredAt: time.Now(), Crane: crane}, err
}
