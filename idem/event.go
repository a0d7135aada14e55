package idem

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Event names one delivery's event: what the producer called it, and who consumes it.
// The same event delivered again, from whatever topic, partition or offset, has the same
// Event.
type Event struct {
	// ID is the event id from the payload. A store on the partitioned schema wants a
	// UUID of version 7 in its canonical form; one on the plain schema takes any text.
	ID string
	// Group is the consumer group: each group does its own work once.
	Group string
}

// String returns the event as "group/id", for logs.
func (e Event) String() string { return e.Group + "/" + e.ID }

// CompareEvents orders events by their ids and then by their groups, as [cmp.Compare]
// does. Whoever claims several events claims them in this order: two transactions that
// claim some of the same events in different orders deadlock.
func CompareEvents(a, b Event) int {
	if c := strings.Compare(a.ID, b.ID); c != 0 {
		return c
	}
	return strings.Compare(a.Group, b.Group)
}

// Outcome says what became of an event.
type Outcome int

// The outcomes. All but Processed and Duplicate are refusals: the work has not been done,
// will not be done by a retry, and the record belongs into quarantine, not into the void.
const (
	// Unknown: processing failed, nothing is recorded, the event may be retried.
	Unknown Outcome = iota
	// Processed: this was the first delivery; the work and the mark are committed.
	Processed
	// Duplicate: the event was processed before; nothing was done.
	Duplicate
	// TooOld: the event is older than the store remembers, so nobody knows whether it was
	// processed.
	TooOld
	// TooNew: the id is from further ahead than a clock may be wrong.
	TooNew
	// NotV7: the id is no UUID of version 7, and the store is partitioned by its time.
	NotV7
)

// String returns the outcome in words, as metrics and logs label it.
func (o Outcome) String() string {
	switch o {
	case Processed:
		return "processed"
	case Duplicate:
		return "duplicate"
	case TooOld:
		return "too_old"
	case TooNew:
		return "too_new"
	case NotV7:
		return "not_v7"
	}
	return "unknown"
}

// Refused reports whether the store has turned the event away for good.
func (o Outcome) Refused() bool { return o == TooOld || o == TooNew || o == NotV7 }

// A RefusedError is the error of an event that the store turns away: [TooOld], [TooNew]
// or [NotV7]. A retry does not help; a consumer that ignores it loses the event, so it is
// an error and no quiet outcome.
type RefusedError struct {
	Event   Event
	Outcome Outcome
	// Err says more, and may be nil.
	Err error
}

// Error says which event was refused and why.
func (e *RefusedError) Error() string {
	why := map[Outcome]string{
		TooOld: "is older than the dedup table remembers, so it may have been processed before",
		TooNew: "has a time further in the future than a clock may be wrong",
		NotV7:  "is no UUID of version 7",
	}[e.Outcome]
	msg := fmt.Sprintf("idem: event %s of group %s is refused: its id %s; put the record into quarantine, a retry does not help", e.Event.ID, e.Event.Group, why)
	if e.Err != nil {
		msg += ": " + e.Err.Error()
	}
	return msg
}

// Unwrap returns Err.
func (e *RefusedError) Unwrap() error { return e.Err }

// Refusal returns the outcome of a [RefusedError] in err's chain, or Unknown.
func Refusal(err error) Outcome {
	var refused *RefusedError
	if errors.As(err, &refused) {
		return refused.Outcome
	}
	return Unknown
}

type eventKey struct{}

// WithEvent returns a context that carries the event being processed. Process does so for
// the work it runs; package money reads it.
func WithEvent(ctx context.Context, e Event) context.Context {
	return context.WithValue(ctx, eventKey{}, e)
}

// EventFrom returns the event that ctx carries, and whether it carries one.
func EventFrom(ctx context.Context) (Event, bool) {
	e, ok := ctx.Value(eventKey{}).(Event)
	return e, ok
}
