package origin

import (
	"time"

	"github.com/google/uuid"
)

type meterRead struct {
	EventID string
	Type    string
	Time    time.Time
	Meter   string
	Value   float64
}

// newMeterEventID is this package's own helper: the event that takes its id from it is reported, and
// the fix is offered here.
func newMeterEventID() string {
	return uuid.NewString()
}

func readMeter(meter string, value float64) meterRead {
	return meterRead{EventID: newMeterEventID(), Type: "meter.read", Time: time.Now(), Meter: meter, Value: value} // want "R-KFK-IDEM-1"
}

type sessionStarted struct {
	EventID string
	Type    string
	Time    time.Time
	Session string
}

// sessionClock is a type whose method makes ids.
type sessionClock struct{ zone *time.Location }

func (c sessionClock) nextID() (uuid.UUID, error) {
	return uuid.NewUUID()
}

func (c sessionClock) start(session string) (*sessionStarted, error) {
	id, err := c.nextID() // want "R-KFK-IDEM-1"
	if err != nil {
		return nil, err
	}
	return &sessionStarted{EventID: id.String(), Type: "session.started", Time: time.Now().In(c.zone), Session: session}, nil
}
