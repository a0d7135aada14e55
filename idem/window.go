package idem

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/idemlint/idemlint/idem/eventid"
)

// ErrInvalidEvent is the error of an event without an id or a group, or with one that no
// table can hold: longer than 255 bytes, not UTF-8, with a zero byte. A retry does not help.
var ErrInvalidEvent = errors.New("invalid event")

// admit returns the event as the table holds it, or why it is turned away before the
// database is asked: an insert outside of the partitions would abort the transaction.
func (c *Config) admit(e Event, now time.Time) (Event, error) {
	if err := holdable("group", e.Group); err != nil {
		return e, err
	}
	if c.Schema == Plain {
		return e, holdable("id", e.ID)
	}
	id, err := eventid.Parse(e.ID)
	if err != nil {
		if err := holdable("id", e.ID); err != nil {
			return e, err
		}
		return e, &RefusedError{Event: e, Outcome: NotV7, Err: err}
	}
	e.ID = strings.ToLower(e.ID) // or two spellings would be two events to a sorted batch
	made := eventid.Time(id)
	if oldest := now.Add(-c.Retention); made.Before(oldest) {
		return e, &RefusedError{Event: e, Outcome: TooOld, Err: fmt.Errorf("it is from %s, the table remembers from %s", stamp(made), stamp(oldest))}
	}
	if newest := now.Add(c.Skew); made.After(newest) {
		return e, &RefusedError{Event: e, Outcome: TooNew, Err: fmt.Errorf("it is from %s, it may be from %s at the latest", stamp(made), stamp(newest))}
	}
	return e, nil
}

// holdable returns an error that wraps [ErrInvalidEvent] for a text that no table can hold.
func holdable(name, text string) error {
	switch {
	case text == "":
		return fmt.Errorf("idem: %w: its %s is empty; take the id from the payload and the group from the consumer's configuration", ErrInvalidEvent, name)
	case len(text) > maxText:
		return fmt.Errorf("idem: %w: its %s has %d bytes, more than %d: %.32q…", ErrInvalidEvent, name, len(text), maxText, text)
	case !utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0:
		return fmt.Errorf("idem: %w: its %s is not UTF-8 or contains a zero byte: %.32q", ErrInvalidEvent, name, text)
	}
	return nil
}

// ErrNoPartition is the error of an event that the window admits and the table has no
// partition for, because the upkeep is behind. It is no refusal, since nothing is wrong
// with the event: stop, run the upkeep, and the event is processed when it comes again.
var ErrNoPartition = errors.New("the dedup table has no partition for the event")

// outside says what it means that the table has no partition for an event that the window
// admits: its partition is gone already, when the upkeep was told a shorter retention than
// the store; or it is not there yet. The end of the window that is nearer tells which.
func (c *Config) outside(e Event, cause error) error {
	if age, ok := c.age(e); ok && age > c.Retention/2 {
		return &RefusedError{Event: e, Outcome: TooOld, Err: fmt.Errorf("no partition of %s holds it: %w", c.Table, cause)}
	}
	return fmt.Errorf("idem: %w: %s is to be made ahead of time: run the upkeep of the partitions every hour: event %s: %w", ErrNoPartition, c.Table, e, cause)
}

// age returns the time since the event's id was made, where the id tells.
func (c *Config) age(e Event) (time.Duration, bool) {
	id, err := eventid.Parse(e.ID)
	if err != nil {
		return 0, false
	}
	return c.Now().Sub(eventid.Time(id)), true
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
