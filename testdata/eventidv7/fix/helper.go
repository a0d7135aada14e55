package fix

import (
	"time"

	"github.com/google/uuid"
)

type lampLit struct {
	EventID    string
	Type       string
	OccurredAt time.Time
}

type lampOut struct {
	EventID    string
	Type       string
	OccurredAt time.Time
}

// newID is mended once, though two events take their ids from it.
func newID() string { return uuid.NewString() }

func lit() lampLit {
	return lampLit{EventID: newID(), Type: "lamp.lit", OccurredAt: time.Now()} // want "R-KFK-IDEM-1"
}

func out() lampOut {
	return lampOut{EventID: newID(), Type: "lamp.out", OccurredAt: time.Now()} // want "R-KFK-IDEM-1"
}
