package fix

import (
	"time"

	uuid4 "github.com/gofrs/uuid"
)

type returned struct {
	EventID    string
	Type       string
	OccurredAt time.Time
}

func giveBack() (*returned, error) {
	id, err := uuid4.NewV4() // want "R-KFK-IDEM-1"
	if err != nil {
		return nil, err
	}
	return &returned{EventID: id.String(), Type: "book.returned", OccurredAt: time.Now()}, nil
}

func giveBackMust() *returned {
	return &returned{EventID: uuid4.Must(uuid4.NewV4()).String(), Type: "book.returned", OccurredAt: time.Now()} // want "R-KFK-IDEM-1"
}
