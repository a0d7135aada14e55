package money

import (
	"context"
	"crypto/sha256"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/idemlint/idemlint/idem"
)

// keyScheme is hashed in front of the parts, so that no other use of the same hash gives
// the same key. It would change only with the derivation, which never changes.
const keyScheme = "idem-money-1"

// Key returns the idempotency key of one call: the same at every delivery of the event,
// another for each step and each consumer group. It is 36 characters of 0-9, a-f and
// hyphens: a UUID, which fits the providers that want one and those that allow only 40
// characters, and a header without quotes.
//
// The derivation is part of the API and never changes, since a changed key is a second
// charge. With netstring(s) = the length of s in bytes, in decimal, ":", s, ",":
//
//	digest = SHA-256(netstring("idem-money-1") netstring(id) netstring(group) netstring(step))
//	key    = the first 16 bytes of digest as a UUID of version 8, in lower case
//
// where id is the event's id, its letters in lower case when it is a UUID in the form of
// 36 characters (of any version), and else as it stands; group and step are taken as they
// stand, in UTF-8. Version 8 (RFC 9562, section 5.8) means that the upper four bits of
// byte 6 are 1000 and the upper two of byte 8 are 10. In Python:
//
//	def key(id, group, step):
//	    ns = lambda s: b"%d:%s," % (len(s.encode()), s.encode())
//	    d = sha256(b"".join(map(ns, ("idem-money-1", id, group, step)))).digest()
//	    return str(UUID(bytes=bytes([*d[:6], d[6] & 15 | 128, d[7], d[8] & 63 | 128, *d[9:16]])))
//
// The error is a [*RefusedError] for [ErrNoEvent] when the event has no id or no group,
// and for [ErrNoStep] when step is empty.
func Key(event idem.Event, step string) (string, error) {
	if event.ID == "" || event.Group == "" {
		return "", &RefusedError{Event: event, Step: step, Err: ErrNoEvent}
	}
	if step == "" {
		return "", &RefusedError{Event: event, Err: ErrNoStep}
	}
	id := event.ID
	// Two spellings of one id are one event: the dedup table compares UUIDs, not text.
	if len(id) == 36 && uuid.Validate(id) == nil {
		id = strings.ToLower(id)
	}
	h := sha256.New()
	for _, part := range []string{keyScheme, id, event.Group, step} {
		h.Write([]byte(strconv.Itoa(len(part)) + ":" + part + ","))
	}
	key := uuid.UUID(h.Sum(nil)[:16])
	key[6] = key[6]&0x0f | 0x80
	key[8] = key[8]&0x3f | 0x80
	return key.String(), nil
}

type (
	stepKey     struct{}
	firstUseKey struct{}
)

// stepUse is a step's name and the last call that was made under it.
type stepUse struct {
	name string

	mu sync.Mutex
	// key and call are of the last call; one context with a step may serve many events,
	// and remembering all of them would grow without bound.
	key, call string
}

// conflicts notes a call and reports whether the one before it had the same key and was
// another call.
func (s *stepUse) conflicts(key, call string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.key == key && s.call != call {
		return true
	}
	s.key, s.call = key, call
	return false
}

// WithStep returns a context for the call that does the named step of the event's work.
// The name tells the calls of one event apart; it is part of the key, so it stays the same
// for as long as an event can be delivered again, and depends on nothing but the event's
// own content.
func WithStep(ctx context.Context, step string) context.Context {
	return context.WithValue(ctx, stepKey{}, &stepUse{name: step})
}

// StepFrom returns the step that ctx carries, and whether it carries one.
func StepFrom(ctx context.Context) (string, bool) {
	use, ok := ctx.Value(stepKey{}).(*stepUse)
	if !ok {
		return "", false
	}
	return use.name, true
}

// WithFirstUse returns a context that says when its event's key was first used, or could
// have been, for a caller that has it on record, as package outbox does. A [Guard] counts
// the provider's window from then, and not from the earlier time in the event id. The
// record must have been made before the first use, and there must be no use without it:
// not by a version of the program that made the same call directly, either.
func WithFirstUse(ctx context.Context, at time.Time) context.Context {
	return context.WithValue(ctx, firstUseKey{}, at)
}
