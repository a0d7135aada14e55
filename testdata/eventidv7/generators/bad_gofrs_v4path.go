package generators

import (
	"time"

	"github.com/gofrs/uuid"
)

// tugCalled is written against the import path that versions 3 and 4 of gofrs/uuid have.
type tugCalled struct {
	EventID    string    `json:"eventId"`
	Type       string    `json:"type"`
	OccurredAt time.Time `json:"occurredAt"`
	Tug        string    `json:"tug"`
}

func callTug(tug string) tugCalled {
	return tugCalled{EventID: uuid.Must(uuid.NewV4()).String(), Type: "tug.called", OccurredAt: time.Now(), Tug: tug} // want "R-KFK-IDEM-1"
}

func callTugV1(tug string) (tugCalled, error) {
	id, err := uuid.NewV1() // want "R-KFK-IDEM-1"
	return tugCalled{EventID: id.String(), Type: "tug.called", OccurredAt: time.Now(), Tug: tug}, err
}
