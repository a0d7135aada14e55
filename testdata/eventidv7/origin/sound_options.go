package origin

import (
	"time"

	"example.com/cases/eventidv7/origin/ledger"
	"github.com/google/uuid"
)

// statementMade: the default of the constructor is version 7.
func statementMade() ledger.Envelope { return ledger.NewEnvelope("statement.made") }

// statementKept: the option carries version 7.
func statementKept() ledger.Envelope {
	return ledger.NewEnvelope("statement.kept", ledger.WithEventID(uuid.Must(uuid.NewV7())))
}

// statementCopied: the option carries the id of another event.
func statementCopied(of ledger.Envelope) ledger.Envelope {
	return ledger.NewEnvelope("statement.copied", ledger.WithEventID(of.EventID))
}

type lampLit struct {
	EventID    string
	Type       string
	OccurredAt time.Time
	TraceID    string
}

type lampOption func(*lampLit)

// withNewTrace: the option's random id is the trace's.
func withNewTrace() lampOption { return func(l *lampLit) { l.TraceID = uuid.NewString() } }

func newLampLit(opts ...lampOption) lampLit {
	l := lampLit{EventID: uuid.Must(uuid.NewV7()).String(), Type: "lamp.lit", OccurredAt: time.Now()}
	for _, o := range opts {
		o(&l)
	}
	return l
}

func lightLamp() lampLit { return newLampLit(withNewTrace()) }
