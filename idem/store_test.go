package idem_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/eventid"
)

// script is a driver that answers its calls by a script; its transactions are numbers.
type script struct {
	begin, commit                  []error // one for each call, nil when they are used up
	begun, committed, rolledBack   int
	claims                         []idem.Event
	seen                           map[idem.Event]bool
	errTransient, errLost, errHole error
}

func newScript() *script {
	return &script{seen: map[idem.Event]bool{}, errTransient: errors.New("transient"), errLost: errors.New("lost"), errHole: errors.New("no partition")}
}

func next(errs *[]error) (err error) {
	if len(*errs) > 0 {
		err, *errs = (*errs)[0], (*errs)[1:]
	}
	return err
}

func (s *script) Check(idem.Config) error { return nil }

func (s *script) Begin(ctx context.Context, cfg idem.Config, claims []idem.Event) (int, []bool, error) {
	s.begun++
	if err := next(&s.begin); err != nil {
		return 0, nil, err
	}
	first, err := s.Claim(ctx, cfg, s.begun, claims)
	return s.begun, first, err
}

func (s *script) Claim(_ context.Context, _ idem.Config, _ int, claims []idem.Event) ([]bool, error) {
	s.claims = claims
	first := make([]bool, len(claims))
	for i, c := range claims {
		first[i] = !s.seen[c]
	}
	return first, nil
}

func (s *script) Commit(context.Context, int) error {
	err := next(&s.commit)
	if err == nil || errors.Is(err, s.errLost) { // the answer was lost, not the commit
		s.committed++
		for _, c := range s.claims {
			s.seen[c] = true
		}
	}
	return err
}

func (s *script) Rollback(context.Context, int) { s.rolledBack++ }

func (s *script) Fault(err error) idem.Fault {
	switch {
	case errors.Is(err, s.errTransient):
		return idem.Fault{Kind: idem.Transient, Code: "40001"}
	case errors.Is(err, s.errLost):
		return idem.Fault{Kind: idem.Lost, Code: "connection"}
	case errors.Is(err, s.errHole):
		return idem.Fault{Kind: idem.NoPartition, Code: "23514"}
	}
	return idem.Fault{Code: "42000"}
}

func newStore(t *testing.T, s *script, cfg idem.Config) *idem.Store[int] {
	t.Helper()
	cfg.Retention, cfg.Backoff = 48*time.Hour, time.Millisecond
	store, err := idem.New(s, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func newEvent(t *testing.T) idem.Event {
	t.Helper()
	id, err := eventid.New()
	if err != nil {
		t.Fatal(err)
	}
	return idem.Event{ID: id.String(), Group: "billing"}
}

// TestRetries: which failure is tried again, and how often, at each stage.
func TestRetries(t *testing.T) {
	s := newScript()
	other := errors.New("other")
	for _, c := range []struct {
		name                string
		begin, work, commit []error
		attempts            int
		want                idem.Outcome
		wantErr             error
	}{
		{"well", nil, nil, nil, 1, idem.Processed, nil},
		{"claim, transient", []error{s.errTransient}, nil, nil, 2, idem.Processed, nil},
		{"claim, lost", []error{s.errLost}, nil, nil, 2, idem.Processed, nil},
		{"claim, for good", []error{other}, nil, nil, 1, idem.Unknown, other},
		{"claim, no partition", []error{s.errHole}, nil, nil, 1, idem.Unknown, idem.ErrNoPartition},
		{"work, transient", nil, []error{s.errTransient, s.errTransient}, nil, 3, idem.Processed, nil},
		{"work, lost", nil, []error{s.errLost}, nil, 1, idem.Unknown, s.errLost},
		{"work, no partition", nil, []error{s.errHole}, nil, 1, idem.Unknown, s.errHole},
		{"work, a refusal of another store", nil, []error{&idem.RefusedError{Outcome: idem.TooOld}}, nil, 1, idem.Unknown, nil},
		{"commit, transient", nil, nil, []error{s.errTransient}, 2, idem.Processed, nil},
		{"commit, lost", nil, nil, []error{s.errLost}, 2, idem.Duplicate, nil},
		{"commit, for good", nil, nil, []error{other}, 1, idem.Unknown, other},
		{"too often", []error{s.errTransient, s.errTransient, s.errTransient, s.errTransient}, nil, nil, 3, idem.Unknown, s.errTransient},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newScript()
			d.errTransient, d.errLost, d.errHole = s.errTransient, s.errLost, s.errHole
			d.begin, d.commit = c.begin, c.commit
			works := c.work
			store := newStore(t, d, idem.Config{MaxAttempts: 3})
			outcome, err := store.Process(t.Context(), newEvent(t), func(context.Context, int) error { return next(&works) })
			fails := c.want == idem.Unknown || c.want.Refused()
			if outcome != c.want || fails != (err != nil) || c.wantErr != nil && !errors.Is(err, c.wantErr) {
				t.Errorf("%s, %v; want %s, %v", outcome, err, c.want, c.wantErr)
			}
			if d.begun != c.attempts {
				t.Errorf("%d attempts, want %d", d.begun, c.attempts)
			}
			if ended := d.rolledBack + d.committed; c.begin == nil && c.commit == nil && ended != d.begun {
				t.Errorf("%d transactions were begun, %d ended", d.begun, ended)
			}
		})
	}
}

// TestNoRetryAfterCancel: a caller that has given up is not kept.
func TestNoRetryAfterCancel(t *testing.T) {
	d := newScript()
	d.commit = []error{d.errTransient, d.errTransient}
	ctx, cancel := context.WithCancel(t.Context())
	_, err := newStore(t, d, idem.Config{}).Process(ctx, newEvent(t), func(context.Context, int) error {
		cancel()
		return nil
	})
	if !errors.Is(err, d.errTransient) || d.begun != 1 {
		t.Errorf("%v after %d attempts", err, d.begun)
	}
}

// TestBatchGivesUp: when the database is out of reach, the events are not tried alone.
func TestBatchGivesUp(t *testing.T) {
	d := newScript()
	store := newStore(t, d, idem.Config{MaxAttempts: 2})
	poll := []idem.Event{newEvent(t), newEvent(t), newEvent(t)}
	bad := errors.New("bad")
	d.begin = []error{nil, d.errLost, d.errLost}
	results, err := store.ProcessBatch(t.Context(), poll, func(context.Context, int, []idem.Event) error { return bad })
	if d.begun != 3 || !errors.Is(err, d.errLost) || !errors.Is(results[2].Err, d.errLost) {
		t.Errorf("%d transactions, %v", d.begun, results)
	}
	d.begun = 0
	d.begin = []error{bad} // no such table, perhaps
	results, err = store.ProcessBatch(t.Context(), poll, func(context.Context, int, []idem.Event) error { return nil })
	if d.begun != 1 || !errors.Is(err, bad) || !errors.Is(results[2].Err, bad) {
		t.Errorf("%d transactions, %v", d.begun, results)
	}
}

// TestBatchClaims: whatever the order of a poll, its claims are distinct and sorted, and the
// first of an event's repeats is the one that is processed.
func TestBatchClaims(t *testing.T) {
	made := make([]idem.Event, 5)
	for i := range made {
		made[i] = newEvent(t)
		made[i].Group = []string{"billing", "ledger"}[i%2]
	}
	source := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		d := newScript()
		store := newStore(t, d, idem.Config{})
		poll := make([]idem.Event, source.IntN(9))
		for i := range poll {
			poll[i] = made[source.IntN(len(made))]
			if source.IntN(4) == 0 {
				poll[i].ID = strings.ToUpper(poll[i].ID) // the same event in another spelling
			}
			if source.IntN(9) == 0 {
				poll[i].ID = "x"
			}
		}
		var worked []idem.Event
		results, _ := store.ProcessBatch(t.Context(), poll, func(_ context.Context, _ int, fresh []idem.Event) error {
			worked = fresh
			return nil
		})
		if !slices.IsSortedFunc(d.claims, idem.CompareEvents) || len(slices.Compact(slices.Clone(d.claims))) != len(d.claims) {
			t.Fatalf("%v is claimed as %v", poll, d.claims)
		}
		seen := make(map[idem.Event]bool)
		var want []idem.Event
		for i, e := range poll {
			outcome := idem.Processed
			key := idem.Event{ID: strings.ToLower(e.ID), Group: e.Group}
			switch {
			case e.ID == "x":
				outcome = idem.NotV7
			case seen[key]:
				outcome = idem.Duplicate
			default:
				want = append(want, e)
			}
			seen[key] = true
			if results[i].Event != e || results[i].Outcome != outcome {
				t.Fatalf("of %v, number %d is %v, want %s", poll, i, results[i], outcome)
			}
		}
		if !slices.Equal(worked, want) {
			t.Fatalf("of %v, the work got %v, want %v", poll, worked, want)
		}
	}
}

// TestBatchReports: the observer is told of each event of a poll once, of one that repeats
// within it too.
func TestBatchReports(t *testing.T) {
	d := newScript()
	var told []string
	store := newStore(t, d, idem.Config{Observer: idem.Observer{
		Outcome: func(_ context.Context, e idem.Event, o idem.Outcome, _ time.Duration) {
			told = append(told, e.ID[:1]+e.ID[len(e.ID)-4:]+" "+o.String())
		},
	}})
	old, fresh, twice, x := newEvent(t), newEvent(t), newEvent(t), idem.Event{ID: "xxxxx", Group: "billing"}
	d.seen[old] = true
	results, _ := store.ProcessBatch(t.Context(), []idem.Event{twice, old, x, fresh, twice}, func(context.Context, int, []idem.Event) error { return nil })
	var want []string
	for _, r := range results {
		want = append(want, r.Event.ID[:1]+r.Event.ID[len(r.Event.ID)-4:]+" "+r.Outcome.String())
	}
	slices.Sort(want)
	slices.Sort(told)
	if !slices.Equal(told, want) || results[4].Outcome != idem.Duplicate || results[0].Outcome != idem.Processed {
		t.Errorf("told of %q, want %q", told, want)
	}
}

func TestEventInContext(t *testing.T) {
	e := newEvent(t)
	_, err := newStore(t, newScript(), idem.Config{}).Process(t.Context(), idem.Event{ID: strings.ToUpper(e.ID), Group: e.Group}, func(ctx context.Context, _ int) error {
		if got, ok := idem.EventFrom(ctx); !ok || got != e {
			t.Errorf("the context carries %s, want %s", got, e)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestConfig(t *testing.T) {
	for _, c := range []struct {
		cfg  idem.Config
		want string // in the error
	}{
		{idem.Config{}, "Retention"},
		{idem.Config{Schema: idem.Plain}, ""},
		{idem.Config{Retention: time.Hour, Table: "billing.processed_event"}, ""},
		{idem.Config{Retention: time.Hour, Table: "Processed"}, "Table"},
		{idem.Config{Retention: time.Hour, Table: "a; drop table b"}, "Table"},
		{idem.Config{Retention: time.Hour, Table: strings.Repeat("a", 41)}, "Table"},
		{idem.Config{Retention: time.Hour, Isolation: sql.LevelReadUncommitted}, "Isolation"},
		{idem.Config{Retention: time.Hour, Skew: -1}, "Skew"},
		{idem.Config{Retention: time.Hour, LockTimeout: -1}, "LockTimeout"},
		{idem.Config{Retention: time.Hour, MaxAttempts: -1}, "MaxAttempts"},
		{idem.Config{Schema: 7}, "Schema"},
		{idem.Config{Schema: idem.Plain, Retention: -1}, "Retention"},
	} {
		_, err := idem.New(newScript(), c.cfg)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), "Config."+c.want) {
			t.Errorf("%+v: %v, want one about %q", c.cfg, err, c.want)
		}
	}
}

// TestLog: a refusal and a retry are warnings, and name the event or the code.
func TestLog(t *testing.T) {
	var log bytes.Buffer
	d := newScript()
	d.begin = []error{d.errTransient}
	store := newStore(t, d, idem.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	e := newEvent(t)
	work := func(context.Context, int) error { return nil }
	if _, err := store.Process(t.Context(), e, work); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Process(t.Context(), idem.Event{ID: "x", Group: "billing"}, work); err == nil {
		t.Fatal("x was processed")
	}
	for _, want := range []string{"level=WARN", "code=40001", "outcome=not_v7", "event=x"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %s:\n%s", want, log.String())
		}
	}
}

// TestObserverAround: what is done for an event is done in the context that the observer
// returns, and the observer is told the end, also when the event is turned away and when
// the work panics.
func TestObserverAround(t *testing.T) {
	type key struct{}
	e, bad := newEvent(t), errors.New("bad")
	x := idem.Event{ID: "x", Group: "billing"}
	d := newScript()
	d.begin = []error{d.errTransient}
	var ends []string
	within := func(ctx context.Context, what string) {
		if ctx.Value(key{}) == nil {
			t.Errorf("%s in another context", what)
		}
	}
	begin := func(ctx context.Context) context.Context {
		if ctx.Value(key{}) != nil {
			t.Error("begun twice")
		}
		return context.WithValue(ctx, key{}, true)
	}
	store := newStore(t, d, idem.Config{Observer: idem.Observer{
		Process: func(ctx context.Context, begun idem.Event) (context.Context, func(idem.Outcome, error)) {
			return begin(ctx), func(o idem.Outcome, err error) {
				ends = append(ends, fmt.Sprintf("%t %s %t", begun == x, o, err != nil))
			}
		},
		Batch: func(ctx context.Context, begun []idem.Event) (context.Context, func([]idem.Result, error)) {
			return begin(ctx), func(results []idem.Result, err error) {
				ends = append(ends, fmt.Sprintf("%d of %d %t", len(results), len(begun), err != nil))
			}
		},
		Outcome: func(ctx context.Context, _ idem.Event, _ idem.Outcome, _ time.Duration) { within(ctx, "outcome") },
		Claimed: func(ctx context.Context, _ string, _ int, _ time.Duration) { within(ctx, "claim") },
		Retry:   func(ctx context.Context, _, _ string) { within(ctx, "retry") },
	}})
	one := func(e idem.Event, err error) {
		_, _ = store.Process(t.Context(), e, func(ctx context.Context, _ int) error {
			within(ctx, "work")
			return err
		})
	}
	poll := func(err error, poll ...idem.Event) {
		_, _ = store.ProcessBatch(t.Context(), poll, func(ctx context.Context, _ int, _ []idem.Event) error {
			within(ctx, "work")
			return err
		})
	}
	panics := func(f func()) {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		f()
	}
	one(e, nil)
	one(e, nil)
	one(x, nil)
	one(newEvent(t), bad)
	panics(func() {
		_, _ = store.Process(t.Context(), newEvent(t), func(context.Context, int) error { panic(bad) })
	})
	poll(nil, e, newEvent(t))
	poll(bad, newEvent(t), newEvent(t))
	poll(nil)
	panics(func() {
		_, _ = store.ProcessBatch(t.Context(), []idem.Event{newEvent(t)}, func(context.Context, int, []idem.Event) error { panic(bad) })
	})
	want := []string{"false processed false", "false duplicate false", "true not_v7 true", "false unknown true", "false unknown false",
		"2 of 2 false", "2 of 2 true", "0 of 0 false", "0 of 1 false"}
	if !slices.Equal(ends, want) {
		t.Errorf("the ends are %q, want %q", ends, want)
	}
}
