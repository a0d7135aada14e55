package money_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/money"
)

const (
	eventID = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f" // made on 22 February 2022, 19:22:22 UTC
	key     = "c9a2204d-9e6a-8dc8-a79f-4d3f03b2308a" // of eventID, "billing", "charge"
)

// The wanted keys were made by the Python in Key's comment. They never change: a service
// that derives another key after an upgrade charges its replayed events again.
func TestKeyGolden(t *testing.T) {
	for _, tt := range []struct{ id, group, step, want string }{
		{eventID, "billing", "charge", key},
		{strings.ToUpper(eventID), "billing", "charge", key},
		{eventID, "billing", "fee", "56d40843-38de-8fa5-9a88-120e440bf6ea"},
		{eventID, "ledger", "charge", "b48126c4-7925-83f0-90d8-eb9d8802732e"},
		{"order-1", "Abrechnung-ä", "refund/line-7", "75822fab-51a9-857b-a982-f104a2183a9c"},
		{"ORDER-1", "billing", "charge", "a07cf6c2-7d8b-84a9-b200-c13980886948"},
		{"a", "bc", "d", "e9e45402-34af-8b50-b53a-5fdccdb8fcba"},
		{"ab", "c", "d", "ddfeb103-e4d4-83ee-9974-1e5cc833aa14"},
	} {
		got, err := money.Key(idem.Event{ID: tt.id, Group: tt.group}, tt.step)
		if err != nil || got != tt.want {
			t.Errorf("Key(%q, %q, %q) = %q, %v; want %q", tt.id, tt.group, tt.step, got, err, tt.want)
		}
	}
}

func TestKeyRefusesMissingParts(t *testing.T) {
	for _, tt := range []struct {
		event idem.Event
		step  string
		want  error
	}{
		{idem.Event{}, "charge", money.ErrNoEvent},
		{idem.Event{Group: "billing"}, "charge", money.ErrNoEvent},
		{idem.Event{ID: eventID}, "charge", money.ErrNoEvent},
		{idem.Event{ID: eventID, Group: "billing"}, "", money.ErrNoStep},
	} {
		got, err := money.Key(tt.event, tt.step)
		var refused *money.RefusedError
		if got != "" || !errors.Is(err, tt.want) || !errors.As(err, &refused) || refused.Event != tt.event {
			t.Errorf("Key(%+v, %q) = %q, %v; want %v", tt.event, tt.step, got, err, tt.want)
		}
	}
}

// No two different triples may meet in one key: neither by where one part ends, nor by
// what looks like the encoding of another.
func FuzzKey(f *testing.F) {
	f.Add("a", "bc", "d", "ab", "c", "d")
	f.Add("1:a", "b", "c", "1", "a,1:b", "c")
	f.Add(eventID, "g", "s", strings.ToUpper(eventID), "g", "s")
	f.Fuzz(func(t *testing.T, id1, group1, step1, id2, group2, step2 string) {
		one, err1 := money.Key(idem.Event{ID: id1, Group: group1}, step1)
		two, err2 := money.Key(idem.Event{ID: id2, Group: group2}, step2)
		if err1 != nil || err2 != nil {
			return
		}
		if len(one) != 36 || strings.Trim(one, "0123456789abcdef-") != "" {
			t.Fatalf("the key %q is not a UUID in lower case", one)
		}
		same := group1 == group2 && step1 == step2 &&
			(id1 == id2 || len(id1) == 36 && strings.EqualFold(id1, id2))
		if one == two && !same {
			t.Fatalf("%q, %q, %q and %q, %q, %q have one key", id1, group1, step1, id2, group2, step2)
		}
	})
}

func TestStepFrom(t *testing.T) {
	if step, ok := money.StepFrom(context.Background()); ok || step != "" {
		t.Fatalf("StepFrom = %q, %t on a context without a step", step, ok)
	}
	if step, ok := money.StepFrom(money.WithStep(context.Background(), "charge")); !ok || step != "charge" {
		t.Fatalf("StepFrom = %q, %t", step, ok)
	}
}
