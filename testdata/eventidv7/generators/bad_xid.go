package generators

import (
	"time"

	"github.com/rs/xid"
)

// bargeEmptied is an event of the canal.
type bargeEmptied struct {
	EventID    string    `json:"event_id"`
	Type       string    `json:"type"`
	OccurredAt time.Time `json:"occurred_at"`
	Barge      string    `json:"barge"`
}

func emptyBarge(barge string) bargeEmptied {
	id := xid.New() // want "R-KFK-IDEM-1"
	return bargeEmptied{EventID: id.String(), Type: "barge.emptied", OccurredAt: time.Now(), Barge: barge}
}

func emptyBargeAt(barge string, at time.Time) bargeEmptied {
	return bargeEmptied{EventID: xid.NewWithTime(at).String(), Type: "barge.emptied", OccurredAt: at, Barge: barge} // want "R-KFK-IDEM-1"
}
