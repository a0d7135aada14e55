package fix

import (
	"time"

	"github.com/google/uuid"
	hashicorp "github.com/hashicorp/go-uuid"
	"github.com/oklog/ulid/v2"
	satori "github.com/satori/go.uuid"
)

// rebound is made by libraries that have no version 7, or by a function whose arguments version 7 has no use for: no fix.
type rebound struct {
	EventID    string
	Type       string
	OccurredAt time.Time
}

func rebindSatori() rebound {
	return rebound{EventID: satori.NewV4().String(), Type: "book.rebound", OccurredAt: time.Now()} // want "R-KFK-IDEM-1"
}

func rebindHashicorp() (rebound, error) {
	id, err := hashicorp.GenerateUUID() // want "R-KFK-IDEM-1"
	return rebound{EventID: id, Type: "book.rebound", OccurredAt: time.Now()}, err
}

func rebindUlid() rebound {
	return rebound{EventID: ulid.Make().String(), Type: "book.rebound", OccurredAt: time.Now()} // want "R-KFK-IDEM-1"
}

func rebindSecurity() (rebound, error) {
	id, err := uuid.NewDCESecurity(uuid.Person, 1) // want "R-KFK-IDEM-1"
	return rebound{EventID: id.String(), Type: "book.rebound", OccurredAt: time.Now()}, err
}
