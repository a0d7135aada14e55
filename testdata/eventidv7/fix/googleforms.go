package fix

import (
	"fmt"
	"time"

	guuid "github.com/google/uuid"
)

type shelved struct {
	EventID    string    `json:"eventId"`
	Type       string    `json:"type"`
	OccurredAt time.Time `json:"occurredAt"`
	Book       string    `json:"book"`
}

// chained: String() stays where it was.
func chained(book string) shelved {
	return shelved{
		EventID:    guuid.New().String(), // want "R-KFK-IDEM-1"
		Type:       "book.shelved",
		OccurredAt: time.Now(),
		Book:       book,
	}
}

// formatted: the value is an argument.
func formatted(book string) shelved {
	return shelved{EventID: fmt.Sprintf("%s", guuid.New()), Type: "book.shelved", OccurredAt: time.Now(), Book: book} // want "R-KFK-IDEM-1"
}

// condition: the two results stand in an if statement.
func condition(book string) (ev shelved, err error) {
	ev = shelved{Type: "book.shelved", OccurredAt: time.Now(), Book: book}
	if id, err := guuid.NewRandom(); err != nil { // want "R-KFK-IDEM-1"
		return ev, err
	} else {
		ev.EventID = id.String()
	}
	return ev, nil
}

// inner: the library's Must is there already.
func inner(book string) shelved {
	id := guuid.Must(guuid.NewRandom()) // want "R-KFK-IDEM-1"
	return shelved{EventID: id.String(), Type: "book.shelved", OccurredAt: time.Now(), Book: book}
}

// timed: version 1 has two results as version 7 has.
func timed(book string) (shelved, error) {
	id, err := guuid.NewUUID() // want "R-KFK-IDEM-1"
	if err != nil {
		return shelved{}, err
	}
	return shelved{EventID: id.String(), Type: "book.shelved", OccurredAt: time.Now(), Book: book}, nil
}

// six: version 6 too.
func six(book string) (shelved, error) {
	id, err := guuid.NewV6() // want "R-KFK-IDEM-1"
	return shelved{EventID: id.String(), Type: "book.shelved", OccurredAt: time.Now(), Book: book}, err
}

// neighbours: only the event's id is changed.
func neighbours() map[string]string {
	return map[string]string{
		"event_id":   guuid.NewString(), // want "R-KFK-IDEM-1"
		"request_id": guuid.NewString(),
		"type":       "book.shelved",
		"timestamp":  time.Now().String(),
	}
}
