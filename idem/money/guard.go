package money

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/eventid"
)

// The reasons for which a call is refused before it is sent. Each is the Err of a
// [*RefusedError], or is wrapped by it: test with [errors.Is].
var (
	// ErrNoEvent: the context carries no event, so no key can be the same next time.
	ErrNoEvent = errors.New("no event is being processed; call from the context that Process hands to the work (or set idem.WithEvent), with an id and a group, or exclude the call if it moves no money")
	// ErrNoStep: the context names no step.
	ErrNoStep = errors.New("the call has no step; name it with money.WithStep, one name for each call that the event causes")
	// ErrStepReused: another call was made under the same step, hence the same key.
	ErrStepReused = errors.New("another call was made under this step; give each call a step of its own, and a repeated call the same body (no clock, no random value)")
	// ErrOtherKey: the request came with a key that is not the event's.
	ErrOtherKey = errors.New("the request carries another idempotency key already; leave it off, or set it from money.Guard.Key (a client library may have made a random one)")
	// ErrWindowPassed: the provider may have forgotten the key.
	ErrWindowPassed = errors.New("the provider may have forgotten the key, so the call could charge a second time; look up with the provider whether it was charged, a retry does not help")
	// ErrAgeUnknown: the id does not say when the event was made, and there is a window.
	ErrAgeUnknown = errors.New("the age of the event is unknown, so the provider may have forgotten the key; use event ids of UUID version 7, send through package outbox, or set AllowUnknownAge")
)

// A RefusedError is the error of a call that was not sent, because sending it could charge
// twice. The same call from the same context is refused again.
type RefusedError struct {
	// Event and Step are those of the context, as far as it has them.
	Event idem.Event
	Step  string
	// Err is the reason: it is or wraps one of the Err values of this package.
	Err error
}

// Error says which call was refused, why, and what to do.
func (e *RefusedError) Error() string {
	what := "a money call"
	if e.Step != "" {
		what = fmt.Sprintf("the money call %q", e.Step)
	}
	if e.Event != (idem.Event{}) {
		what += fmt.Sprintf(" of event %s of group %q", e.Event.ID, e.Event.Group)
	}
	return "money: " + what + " is refused: " + e.Err.Error()
}

// Unwrap returns Err.
func (e *RefusedError) Unwrap() error { return e.Err }

// maxSkew is how far ahead of this clock the time in an event id may be. Further ahead it
// would stretch the provider's window instead of measuring it.
const maxSkew = 5 * time.Minute

// Guard decides whether a call may be sent, and under which key. The zero value derives
// keys and knows of no window.
type Guard struct {
	// Window is how long the provider remembers a key, less what clocks may differ and a
	// call may take: 23 hours where the provider promises 24. Beyond it the same key is a
	// new charge. A negative Window refuses every call.
	//
	// The age that is compared is that of the event, by its id: the key cannot have been
	// used before. An event that waited longer than the window and was never sent is
	// refused too, since nobody here knows that; package outbox does know, see
	// [WithFirstUse].
	//
	// Zero means that there is no such check: right only where the provider remembers
	// keys longer than an event can be delivered again.
	Window time.Duration
	// AllowUnknownAge lets calls of events pass whose id is no UUID of version 7, or is
	// from the future, although there is a Window that they may have outlived.
	AllowUnknownAge bool
	// Now is the clock, for tests; nil is [time.Now].
	Now func() time.Time
}

// Key returns the key of the call that ctx is for, from its event and step.
//
// call tells what would be another call to the provider, such as the method, the path and
// the body: a second call under the same step of the same event, from the same WithStep
// context, must have the same one. It is compared, not hashed into the key. Empty means
// not to compare.
//
// The error is a [*RefusedError], whose reason is one of this package's Err values.
func (g Guard) Key(ctx context.Context, call string) (string, error) {
	event, _ := idem.EventFrom(ctx)
	step, _ := StepFrom(ctx)
	key, err := Key(event, step)
	if err != nil {
		return "", err
	}
	if err := g.checkAge(ctx, event); err != nil {
		return "", &RefusedError{Event: event, Step: step, Err: err}
	}
	if use := ctx.Value(stepKey{}).(*stepUse); call != "" && use.conflicts(key, call) {
		return "", &RefusedError{Event: event, Step: step, Err: ErrStepReused}
	}
	return key, nil
}

// checkAge returns why the provider may have forgotten the event's key.
func (g Guard) checkAge(ctx context.Context, event idem.Event) error {
	if g.Window == 0 {
		return nil
	}
	now := time.Now
	if g.Now != nil {
		now = g.Now
	}
	since, known := ctx.Value(firstUseKey{}).(time.Time)
	if !known {
		if id, err := eventid.Parse(event.ID); err == nil {
			since, known = eventid.Time(id), true
		}
	}
	age := now().Sub(since)
	if !known || age < -maxSkew {
		if g.AllowUnknownAge {
			return nil
		}
		return ErrAgeUnknown
	}
	if age >= g.Window {
		return fmt.Errorf("the key may have been used %s ago, and its window is %s: %w", age.Round(time.Second), g.Window, ErrWindowPassed)
	}
	return nil
}
