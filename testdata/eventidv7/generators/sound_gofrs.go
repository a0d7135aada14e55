package generators

import (
	"time"

	"github.com/gofrs/uuid/v5"
)

// craneParked is an event of the harbour.
type craneParked struct {
	EventID    uuid.UUID `json:"eventId"`
	Type       string    `json:"type"`
	OccurredAt time.Time `json:"occurredAt"`
	Shift      uuid.UUID `json:"shift"`
}

func parkCrane() (craneParked, error) {
	id, err := uuid.NewV7()
	return craneParked{EventID: id, Type: "crane.parked", OccurredAt: time.Now(), Shift: uuid.Must(uuid.NewV4())}, err
}

func parkCraneMust() craneParked {
	return craneParked{EventID: uuid.Must(uuid.NewV7()), Type: "crane.parked", OccurredAt: time.Now()}
}

func parkCraneGen(gen *uuid.Gen) (craneParked, error) {
	id, err := gen.NewV7()
	return craneParked{EventID: id, Type: "crane.parked", OccurredAt: time.Now()}, err
}

// parkCraneAtTime dates the id back to when the crane stopped; it is version 7 all the same.
func parkCraneAtTime(stopped time.Time) (craneParked, error) {
	id, err := uuid.NewV7AtTime(stopped)
	return craneParked{EventID: id, Type: "crane.parked", OccurredAt: stopped}, err
}

// parkCraneNamed and parkCraneMD5 compute the id of the shift and the crane.
func parkCraneNamed(shift uuid.UUID, crane string) craneParked {
	return craneParked{EventID: uuid.NewV5(shift, crane), Type: "crane.parked", OccurredAt: time.Now(), Shift: shift}
}

func parkCraneMD5(shift uuid.UUID, crane string) craneParked {
	return craneParked{EventID: uuid.NewV3(shift, crane), Type: "crane.parked", OccurredAt: time.Now(), Shift: shift}
}

func parkCraneGiven(id string) (craneParked, error) {
	parsed, err := uuid.FromString(id)
	return craneParked{EventID: parsed, Type: "crane.parked", OccurredAt: time.Now()}, err
}
