package eventid_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/idemlint/idemlint/idem/eventid"
)

func TestNewIncreases(t *testing.T) {
	last := uuid.Nil
	for range 10_000 {
		id, err := eventid.New()
		if err != nil {
			t.Fatal(err)
		}
		if err := eventid.Check(id); err != nil {
			t.Fatal(err)
		}
		if bytes.Compare(id[:], last[:]) <= 0 {
			t.Fatalf("%s does not follow %s", id, last)
		}
		last = id
	}
	if age := time.Since(eventid.Time(last)); age < -time.Second || age > time.Minute {
		t.Fatalf("the time in a new id is %s old", age)
	}
}

func TestParse(t *testing.T) {
	// The example of RFC 9562, appendix A.6: 22 February 2022, 19:22:22 UTC.
	const rfc = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"
	id, err := eventid.Parse(strings.ToUpper(rfc))
	if err != nil || id.String() != rfc {
		t.Fatalf("Parse = %s, %v", id, err)
	}
	if at, want := eventid.Time(id), time.Date(2022, 2, 22, 19, 22, 22, 0, time.UTC); !at.Equal(want) {
		t.Fatalf("Time = %s, want %s", at, want)
	}
	for _, bad := range []string{
		"",
		"order-1",
		"{" + rfc + "}",
		"urn:uuid:" + rfc,
		strings.ReplaceAll(rfc, "-", ""),
		" " + rfc[1:],
		"017f22e2-79b0-4cc3-98c4-dc0c0c07398f", // version 4
		"017f22e2-79b0-7cc3-c8c4-dc0c0c07398f", // variant of Microsoft
		uuid.Nil.String(),
		uuid.Max.String(),
	} {
		if id, err := eventid.Parse(bad); !errors.Is(err, eventid.ErrNotV7) {
			t.Errorf("Parse(%q) = %s, %v; want ErrNotV7", bad, id, err)
		}
	}
}

func TestBound(t *testing.T) {
	at := time.Date(2026, 12, 2, 10, 0, 0, 0, time.UTC)
	bound := eventid.Bound(at)
	if !eventid.Time(bound).Equal(at) {
		t.Fatalf("Time(Bound(%s)) = %s", at, eventid.Time(bound))
	}
	if !bytes.Equal(bound[6:], make([]byte, 10)) {
		t.Fatalf("Bound = %s, want zeroes after the time", bound)
	}
	if got := eventid.Bound(time.Time{}); got != uuid.Nil {
		t.Fatalf("Bound of the year 1 = %s", got)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "017f22e2-79b0-7cc3-98c4-dc0c0c07398f", "{017f22e2-79b0-7cc3-98c4-dc0c0c07398}", "017f22e279b0-7cc3-98c4-dc0c0c07398f-"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		id, err := eventid.Parse(s)
		if err != nil {
			if !errors.Is(err, eventid.ErrNotV7) {
				t.Fatalf("Parse(%q): %v does not wrap ErrNotV7", s, err)
			}
			return
		}
		if !strings.EqualFold(id.String(), s) {
			t.Fatalf("Parse(%q) = %s: another spelling was accepted", s, id)
		}
		if err := eventid.Check(id); err != nil {
			t.Fatal(err)
		}
	})
}
