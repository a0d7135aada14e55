package origin

import (
	"time"

	"example.com/cases/eventidv7/origin/ledger"
	"github.com/google/uuid"
)

// statementSent hands the random id over in an option.
func statementSent() ledger.Envelope {
	return ledger.NewEnvelope("statement.sent", ledger.WithEventID(uuid.New())) // want "R-KFK-IDEM-1"
}

type alarmRaised struct {
	EventID    string
	Type       string
	OccurredAt time.Time
	Room       string
}

type alarmOption func(*alarmRaised)

func inRoom(room string) alarmOption { return func(a *alarmRaised) { a.Room = room } }

// withFreshID is an option that makes the id.
func withFreshID() alarmOption {
	return func(a *alarmRaised) {
		a.EventID = uuid.NewString() // want "R-KFK-IDEM-1"
	}
}

func newAlarm(opts ...alarmOption) *alarmRaised {
	a := &alarmRaised{Type: "alarm.raised", OccurredAt: time.Now()}
	for _, o := range opts {
		o(a)
	}
	return a
}

func raiseAlarm(room string) *alarmRaised { return newAlarm(withFreshID(), inRoom(room)) }

type doorForced struct {
	EventID    string
	Type       string
	OccurredAt time.Time
	Door       string
}

type doorOption func(*doorForced)

func withDoorEventID(id string) doorOption { return func(d *doorForced) { d.EventID = id } }

// newDoorForced: the default, when no option sets an id, is random.
func newDoorForced(door string, opts ...doorOption) *doorForced {
	d := &doorForced{Type: "door.forced", OccurredAt: time.Now(), Door: door}
	for _, o := range opts {
		o(d)
	}
	if d.EventID == "" {
		d.EventID = uuid.NewString() // want "R-KFK-IDEM-1"
	}
	return d
}

func forceDoor(id, door string) *doorForced { return newDoorForced(door, withDoorEventID(id)) }
