package generators

import (
	"time"

	uuid "github.com/satori/go.uuid"
)

// buoyLit is an event of the harbour.
type buoyLit struct {
	EventID    uuid.UUID `json:"eventId"`
	Type       string    `json:"type"`
	OccurredAt time.Time `json:"occurredAt"`
	Buoy       string    `json:"buoy"`
}

func lightBuoy(buoy string) buoyLit {
	return buoyLit{EventID: uuid.NewV4(), Type: "buoy.lit", OccurredAt: time.Now(), Buoy: buoy} // want "R-KFK-IDEM-1"
}

func lightBuoyV1(buoy string) buoyLit {
	ev := buoyLit{Type: "buoy.lit", OccurredAt: time.Now(), Buoy: buoy}
	ev.EventID = uuid.NewV1() // want "R-KFK-IDEM-1"
	return ev
}

func lightBuoyV2(buoy string) buoyLit {
	return buoyLit{EventID: uuid.NewV2(uuid.DomainPerson), Type: "buoy.lit", OccurredAt: time.Now(), Buoy: buoy} // want "R-KFK-IDEM-1"
}
