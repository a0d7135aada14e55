package fix

import (
	"time"

	"github.com/gofrs/uuid/v5"
)

type lent struct {
	EventID    uuid.UUID `json:"eventId"`
	Type       string    `json:"type"`
	OccurredAt time.Time `json:"occurredAt"`
	Copy       uuid.UUID `json:"copy"`
}

func lend() (lent, error) {
	id, err := uuid.NewV4() // want "R-KFK-IDEM-1"
	return lent{EventID: id, Type: "book.lent", OccurredAt: time.Now(), Copy: uuid.Must(uuid.NewV4())}, err
}

func lendMust() lent {
	return lent{EventID: uuid.Must(uuid.NewV4()), Type: "book.lent", OccurredAt: time.Now()} // want "R-KFK-IDEM-1"
}

func lendV1() (ev lent, err error) {
	ev.Type, ev.OccurredAt = "book.lent", time.Now()
	ev.EventID, err = uuid.NewV1() // want "R-KFK-IDEM-1"
	return ev, err
}

func lendV6() lent {
	return lent{EventID: uuid.Must(uuid.NewV6()), Type: "book.lent", OccurredAt: time.Now()} // want "R-KFK-IDEM-1"
}
