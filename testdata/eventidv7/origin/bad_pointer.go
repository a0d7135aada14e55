package origin

import (
	"time"

	"github.com/google/uuid"
)

type valveShut struct {
	EventID    *string    `json:"eventId"`
	Type       string     `json:"type"`
	OccurredAt *time.Time `json:"occurredAt"`
	Valve      string     `json:"valve"`
}

// shutValve: the field is a pointer.
func shutValve(valve string) *valveShut {
	id := uuid.NewString() // want "R-KFK-IDEM-1"
	now := time.Now()
	return &valveShut{EventID: &id, Type: "valve.shut", OccurredAt: &now, Valve: valve}
}

type valveOpened struct {
	EventID    uuid.UUID
	Type       string
	OccurredAt time.Time
	Valve      string
}

// stamp writes through a pointer parameter.
func stamp(ev *valveOpened) {
	ev.EventID = uuid.New() // want "R-KFK-IDEM-1"
	ev.OccurredAt = time.Now()
}

func openValve(valve string) valveOpened {
	ev := valveOpened{Type: "valve.opened", Valve: valve}
	stamp(&ev)
	return ev
}

// openAll writes the elements of a slice.
func openAll(valves []string) []valveOpened {
	out := make([]valveOpened, len(valves))
	for i, v := range valves {
		out[i].EventID = uuid.New() // want "R-KFK-IDEM-1"
		out[i].Type = "valve.opened"
		out[i].Valve = v
	}
	return out
}
