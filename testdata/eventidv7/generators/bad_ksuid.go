package generators

import (
	"time"

	"github.com/segmentio/ksuid"
)

// bargeLoaded is an event of the canal.
type bargeLoaded struct {
	EventID    string    `json:"event_id"`
	Type       string    `json:"type"`
	OccurredAt time.Time `json:"occurred_at"`
	Barge      string    `json:"barge"`
}

func loadBarge(barge string) bargeLoaded {
	return bargeLoaded{EventID: ksuid.New().String(), Type: "barge.loaded", OccurredAt: time.Now(), Barge: barge} // want "R-KFK-IDEM-1"
}

func loadBargeAt(barge string, at time.Time) (bargeLoaded, error) {
	id, err := ksuid.NewRandomWithTime(at) // want "R-KFK-IDEM-1"
	return bargeLoaded{EventID: id.String(), Type: "barge.loaded", OccurredAt: at, Barge: barge}, err
}
