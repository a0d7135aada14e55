package money_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/eventid"
	"github.com/idemlint/idemlint/idem/money"

	"github.com/google/uuid"
)

var born = eventid.Time(uuid.MustParse(eventID))

func charging(id string) context.Context {
	ctx := idem.WithEvent(context.Background(), idem.Event{ID: id, Group: "billing"})
	return money.WithStep(ctx, "charge")
}

func TestGuardWindow(t *testing.T) {
	const day = 24 * time.Hour
	v4 := "017f22e2-79b0-4cc3-98c4-dc0c0c07398f"
	for _, tt := range []struct {
		name     string
		id       string
		window   time.Duration
		allow    bool
		age      time.Duration
		firstUse time.Duration // after born; 0 is none on record
		want     error
	}{
		{"no window", eventID, 0, false, 100 * day, 0, nil},
		{"no window, no age", "order-1", 0, false, 0, 0, nil},
		{"within", eventID, day, false, day - time.Millisecond, 0, nil},
		{"at its end", eventID, day, false, day, 0, money.ErrWindowPassed},
		{"allowing unknown ages does not allow old ones", eventID, day, true, day, 0, money.ErrWindowPassed},
		{"negative", eventID, -time.Hour, false, 0, 0, money.ErrWindowPassed},
		{"a clock a little behind", eventID, day, false, -time.Minute, 0, nil},
		{"from the future", eventID, day, false, -time.Hour, 0, money.ErrAgeUnknown},
		{"version 4", v4, day, false, 0, 0, money.ErrAgeUnknown},
		{"version 4, allowed", v4, day, true, 0, 0, nil},
		{"no UUID", "order-1", day, false, 0, 0, money.ErrAgeUnknown},
		{"old, first used lately", eventID, day, false, 3 * day, 2*day + time.Hour, nil},
		{"old, first used long ago", eventID, day, false, 3 * day, 2 * day, money.ErrWindowPassed},
		{"no age, first used lately", "order-1", day, false, 3 * day, 2*day + time.Hour, nil},
		{"no age, allowed, first used long ago", "order-1", day, true, 3 * day, time.Hour, money.ErrWindowPassed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx := charging(tt.id)
			if tt.firstUse != 0 {
				ctx = money.WithFirstUse(ctx, born.Add(tt.firstUse))
			}
			guard := money.Guard{Window: tt.window, AllowUnknownAge: tt.allow, Now: func() time.Time { return born.Add(tt.age) }}
			got, err := guard.Key(ctx, "")
			if !errors.Is(err, tt.want) || (err == nil) != (got != "") {
				t.Fatalf("Key = %q, %v; want the error %v", got, err, tt.want)
			}
		})
	}
}

func TestGuardUsesTheSystemClock(t *testing.T) {
	if _, err := (money.Guard{Window: 24 * time.Hour}).Key(charging(eventID), ""); !errors.Is(err, money.ErrWindowPassed) {
		t.Fatalf("an event of 2022 passes: %v", err)
	}
	id, err := eventid.New()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (money.Guard{Window: 24 * time.Hour}).Key(charging(id.String()), ""); err != nil {
		t.Fatalf("an event of now: %v", err)
	}
}

func TestGuardStepReused(t *testing.T) {
	var guard money.Guard
	ctx := charging(eventID)
	for _, call := range []string{"", "one", "one", ""} {
		if _, err := guard.Key(ctx, call); err != nil {
			t.Fatalf("the call %q: %v", call, err)
		}
	}
	if _, err := guard.Key(ctx, "two"); !errors.Is(err, money.ErrStepReused) {
		t.Fatalf("another call under the same step: %v", err)
	}
	if _, err := guard.Key(ctx, "one"); err != nil {
		t.Fatalf("a retry of the first call after the refusal: %v", err)
	}
	if _, err := guard.Key(money.WithStep(ctx, "fee"), "two"); err != nil {
		t.Fatalf("another call under its own step: %v", err)
	}
	// A step that was put on the context once, in front of a loop over events.
	other := idem.WithEvent(ctx, idem.Event{ID: "order-2", Group: "billing"})
	if _, err := guard.Key(other, "two"); err != nil {
		t.Fatalf("the same step of another event: %v", err)
	}
}

func TestRefusedErrorSaysWhatToDo(t *testing.T) {
	_, err := money.Guard{Window: time.Hour, Now: func() time.Time { return born.Add(2 * time.Hour) }}.Key(charging(eventID), "")
	for _, want := range []string{eventID, `"billing"`, `"charge"`, "2h0m0s", "1h0m0s", "look up with the provider"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error %v does not contain %s", err, want)
		}
	}
	_, err = money.Guard{}.Key(context.Background(), "")
	if err == nil || !strings.HasPrefix(err.Error(), "money: a money call is refused: no event") {
		t.Errorf("without an event: %v", err)
	}
}
