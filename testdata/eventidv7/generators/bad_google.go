// Package generators holds the eventidv7 cases of each generator.
package generators

import (
	"crypto/rand"
	"time"

	"github.com/google/uuid"
)

// berthTaken is an event of the harbour.
type berthTaken struct {
	EventID    uuid.UUID `json:"eventId"`
	Type       string    `json:"type"`
	OccurredAt time.Time `json:"occurredAt"`
	Berth      string    `json:"berth"`
}

func takeBerth(berth string) berthTaken {
	return berthTaken{EventID: uuid.New(), Type: "berth.taken", OccurredAt: time.Now(), Berth: berth} // want "R-KFK-IDEM-1"
}

func takeBerthRandom(berth string) (berthTaken, error) {
	id, err := uuid.NewRandom() // want "R-KFK-IDEM-1"
	return berthTaken{EventID: id, Type: "berth.taken", OccurredAt: time.Now(), Berth: berth}, err
}

func takeBerthReader(berth string) (berthTaken, error) {
	id, err := uuid.NewRandomFromReader(rand.Reader) // want "R-KFK-IDEM-1"
	return berthTaken{EventID: id, Type: "berth.taken", OccurredAt: time.Now(), Berth: berth}, err
}

// takeBerthV1: version 1 begins with the low bits of the time.
func takeBerthV1(berth string) berthTaken {
	return berthTaken{EventID: uuid.Must(uuid.NewUUID()), Type: "berth.taken", OccurredAt: time.Now(), Berth: berth} // want "R-KFK-IDEM-1"
}

func takeBerthV6(berth string) (berthTaken, error) {
	id, err := uuid.NewV6() // want "R-KFK-IDEM-1"
	if err != nil {
		return berthTaken{}, err
	}
	return berthTaken{EventID: id, Type: "berth.taken", OccurredAt: time.Now(), Berth: berth}, nil
}

// takeBerthBranch: version 7 only where a flag asks for it.
func takeBerthBranch(berth string, sorted bool) berthTaken {
	id := uuid.New() // want "R-KFK-IDEM-1"
	if sorted {
		id = uuid.Must(uuid.NewV7())
	}
	return berthTaken{EventID: id, Type: "berth.taken", OccurredAt: time.Now(), Berth: berth}
}
