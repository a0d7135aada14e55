package generators

import (
	"crypto/rand"
	"time"

	"github.com/oklog/ulid/v2"
)

// sluiceOpened is an event of the canal. A ULID sorts by time but is no UUID: the rule asks for version 7.
type sluiceOpened struct {
	EventID    string    `json:"eventId"`
	Type       string    `json:"type"`
	OccurredAt time.Time `json:"occurredAt"`
	Sluice     string    `json:"sluice"`
}

func openSluice(sluice string) sluiceOpened {
	return sluiceOpened{EventID: ulid.Make().String(), Type: "sluice.opened", OccurredAt: time.Now(), Sluice: sluice} // want "R-KFK-IDEM-1"
}

func openSluiceEntropy(sluice string) sluiceOpened {
	now := time.Now()
	id := ulid.MustNew(ulid.Timestamp(now), ulid.Monotonic(rand.Reader, 0)) // want "R-KFK-IDEM-1"
	return sluiceOpened{EventID: id.String(), Type: "sluice.opened", OccurredAt: now, Sluice: sluice}
}

func openSluiceChecked(sluice string) (sluiceOpened, error) {
	id, err := ulid.New(ulid.Now(), ulid.DefaultEntropy()) // want "R-KFK-IDEM-1"
	return sluiceOpened{EventID: id.String(), Type: "sluice.opened", OccurredAt: time.Now(), Sluice: sluice}, err
}

// sluiceShut keeps the library's type.
type sluiceShut struct {
	EventID    ulid.ULID
	Type       string
	OccurredAt time.Time
}

func shutSluice() sluiceShut {
	return sluiceShut{EventID: ulid.Make(), Type: "sluice.shut", OccurredAt: time.Now()} // want "R-KFK-IDEM-1"
}
