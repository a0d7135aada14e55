package origin

import (
	"time"

	"github.com/google/uuid"
)

type pumpStopped struct {
	EventID    *string
	Type       string
	OccurredAt time.Time
	Operator   *string
}

func stopPump() *pumpStopped {
	id := uuid.Must(uuid.NewV7()).String()
	operator := uuid.NewString()
	return &pumpStopped{EventID: &id, Type: "pump.stopped", OccurredAt: time.Now(), Operator: &operator}
}

type pumpStarted struct {
	EventID    uuid.UUID
	Type       string
	OccurredAt time.Time
	Run        uuid.UUID
}

func mark(ev *pumpStarted) {
	ev.EventID = uuid.Must(uuid.NewV7())
	ev.OccurredAt = time.Now()
}

func startPumps(n int) []pumpStarted {
	run := uuid.New()
	out := make([]pumpStarted, n)
	for i := range out {
		mark(&out[i])
		out[i].Run = run
	}
	return out
}
