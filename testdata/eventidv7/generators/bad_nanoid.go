package generators

import (
	"time"

	gonanoid "github.com/matoous/go-nanoid/v2"
)

// bargeTowed is an event of the canal.
type bargeTowed struct {
	EventID    string    `json:"event_id"`
	Type       string    `json:"type"`
	OccurredAt time.Time `json:"occurred_at"`
	Barge      string    `json:"barge"`
}

func towBarge(barge string) (bargeTowed, error) {
	id, err := gonanoid.New() // want "R-KFK-IDEM-1"
	return bargeTowed{EventID: id, Type: "barge.towed", OccurredAt: time.Now(), Barge: barge}, err
}

func towBargeLong(barge string) bargeTowed {
	return bargeTowed{EventID: gonanoid.Must(32), Type: "barge.towed", OccurredAt: time.Now(), Barge: barge} // want "R-KFK-IDEM-1"
}

func towBargeDigits(barge string) (ev bargeTowed, err error) {
	ev = bargeTowed{Type: "barge.towed", OccurredAt: time.Now(), Barge: barge}
	ev.EventID, err = gonanoid.Generate("0123456789", 20) // want "R-KFK-IDEM-1"
	return ev, err
}
