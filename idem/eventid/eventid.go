// Package eventid makes and checks event ids: UUIDs of version 7 (RFC 9562, section
// 5.7), whose first 48 bits are the milliseconds since 1970 at which the event was made.
// The time at the front is what lets a dedup table be partitioned by its own key, and a
// late redelivery be told by its age.
package eventid

import (
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// ErrNotV7 is the error of an id that is no UUID of version 7.
var ErrNotV7 = errors.New("the event id is not a UUID of version 7")

// New returns a new event id. The ids of one process are strictly increasing, also when
// its clock goes back. It fails only when the system has no randomness.
func New() (uuid.UUID, error) {
	return uuid.NewV7()
}

// Parse reads an event id in its canonical form: 36 characters, in either case, with
// hyphens. Other spellings of a UUID (braces, a urn: prefix, no hyphens) are refused,
// since two spellings of one id must not become two events. The error wraps [ErrNotV7]
// and quotes the id.
func Parse(s string) (uuid.UUID, error) {
	if len(s) != len("00000000-0000-7000-8000-000000000000") {
		return uuid.Nil, fmt.Errorf("%w: %.64q is not in the form of a UUID", ErrNotV7, s)
	}
	id, err := uuid.Parse(s)
	if err != nil {
		return uuid.Nil, fmt.Errorf("%w: %q is not in the form of a UUID", ErrNotV7, s)
	}
	return id, Check(id)
}

// Check returns nil for a UUID of version 7 in the variant of RFC 9562, else an error
// that wraps [ErrNotV7].
func Check(id uuid.UUID) error {
	if id.Variant() != uuid.RFC4122 {
		return fmt.Errorf("%w: %s has another variant", ErrNotV7, id)
	}
	if id.Version() != 7 {
		return fmt.Errorf("%w: %s has version %d", ErrNotV7, id, id.Version())
	}
	return nil
}

// Time returns when the event was made, to the millisecond, in UTC. It means something
// only for an id that [Check] accepts.
func Time(id uuid.UUID) time.Time {
	var ms int64
	for _, b := range id[:6] {
		ms = ms<<8 | int64(b)
	}
	return time.UnixMilli(ms).UTC()
}

// Bound returns the smallest 128-bit value whose first 48 bits are the milliseconds of t:
// the lower bound of the ids made at t or later, and so the bound of a partition. It is
// not an event id itself. Times before 1970 and after the year 10889 are cut to the ends.
func Bound(t time.Time) uuid.UUID {
	ms := min(max(t.UnixMilli(), 0), 1<<48-1)
	var id uuid.UUID
	for i := range 6 {
		id[i] = byte(ms >> (40 - 8*i))
	}
	return id
}
