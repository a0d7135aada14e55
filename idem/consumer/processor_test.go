package consumer_test

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/consumer"
	"github.com/idemlint/idemlint/idem/eventid"
)

// memory is a database in memory. A transaction is the list of its claims.
type memory struct {
	begin, commit []error // for the next calls, nil when used up
	seen          map[idem.Event]bool
	commits       int
}

type tx struct{ claims []idem.Event }

var errNoPartition = errors.New("no partition")

func next(errs *[]error) (err error) {
	if len(*errs) > 0 {
		err, *errs = (*errs)[0], (*errs)[1:]
	}
	return err
}

func (*memory) Check(idem.Config) error { return nil }

func (m *memory) Begin(ctx context.Context, cfg idem.Config, claims []idem.Event) (*tx, []bool, error) {
	if err := next(&m.begin); err != nil {
		return nil, nil, err
	}
	first, err := m.Claim(ctx, cfg, nil, claims)
	return &tx{claims}, first, err
}

func (m *memory) Claim(_ context.Context, _ idem.Config, _ *tx, claims []idem.Event) ([]bool, error) {
	first := make([]bool, len(claims))
	for i, c := range claims {
		first[i] = !m.seen[c]
	}
	return first, nil
}

func (m *memory) Commit(_ context.Context, t *tx) error {
	if err := next(&m.commit); err != nil {
		return err
	}
	for _, c := range t.claims {
		m.seen[c] = true
	}
	m.commits++
	return nil
}

func (*memory) Rollback(context.Context, *tx) {}

func (*memory) Fault(err error) idem.Fault {
	if errors.Is(err, errNoPartition) {
		return idem.Fault{Kind: idem.NoPartition}
	}
	return idem.Fault{}
}

// payload is an event: its id, and after a space how often the handler fails.
type payload = string

type world struct {
	*testing.T
	db      *memory
	cfg     consumer.Config[*tx, payload]
	handle  func(ctx context.Context, p payload) error
	handled []payload
	dead    []consumer.Failed
	deadErr error
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{T: t, db: &memory{seen: map[idem.Event]bool{}}}
	store, err := idem.New(w.db, idem.Config{Retention: time.Hour, MaxAttempts: 1})
	if err != nil {
		t.Fatal(err)
	}
	w.handle = func(context.Context, payload) error { return nil }
	w.cfg = consumer.Config[*tx, payload]{
		Store: store, Group: "billing", MaxAttempts: 3, Backoff: time.Millisecond, MaxBackoff: time.Millisecond,
		Decode: func(value []byte) (payload, error) {
			switch string(value) {
			case "tombstone":
				return "", fmt.Errorf("nothing: %w", consumer.ErrSkip)
			case "garbage":
				return "", errors.New("no event")
			}
			return string(value), nil
		},
		ID: func(p payload) string { id, _, _ := strings.Cut(p, " "); return id },
		Handle: func(ctx context.Context, _ *tx, p payload) error {
			w.handled = append(w.handled, p)
			return w.handle(ctx, p)
		},
		DeadLetter: func(_ context.Context, f consumer.Failed) error {
			if w.deadErr != nil {
				return w.deadErr
			}
			w.dead = append(w.dead, f)
			return nil
		},
	}
	return w
}

// batches makes the world work on whole polls.
func (w *world) batches() {
	one := w.cfg.Handle
	w.cfg.Handle, w.cfg.HandleBatch = nil, func(ctx context.Context, t *tx, fresh []payload) error {
		var err error
		for _, p := range fresh {
			err = errors.Join(err, one(ctx, t, p))
		}
		return err
	}
}

func (w *world) process(ctx context.Context, values ...string) (int, error) {
	w.Helper()
	p, err := consumer.New(w.cfg)
	if err != nil {
		w.Fatal(err)
	}
	records := make([]consumer.Record, len(values))
	for i, v := range values {
		records[i] = consumer.Record{Topic: "orders", Offset: int64(i), Value: []byte(v)}
	}
	return p.Process(ctx, records...)
}

// settles checks that all values are settled.
func (w *world) settles(values ...string) {
	w.Helper()
	if settled, err := w.process(w.Context(), values...); settled != len(values) || err != nil {
		w.Errorf("%d of %d settled, %v", settled, len(values), err)
	}
}

// died checks which offsets are dead-lettered, and after how many attempts.
func (w *world) died(want ...[2]int) {
	w.Helper()
	var got [][2]int
	for _, f := range w.dead {
		got = append(got, [2]int{int(f.Record.Offset), f.Attempts})
		if f.Err == nil {
			w.Errorf("the dead letter of %s does not say why", f.Record)
		}
	}
	if !slices.Equal(got, want) {
		w.Errorf("dead letters (offset, attempts) %v, want %v", got, want)
	}
}

func ids(t *testing.T, n int) []string {
	t.Helper()
	out := make([]string, n)
	for i := range out {
		id, err := eventid.New()
		if err != nil {
			t.Fatal(err)
		}
		out[i] = id.String()
	}
	return out
}

// both runs a test on single events and on batches.
func both(t *testing.T, test func(t *testing.T, w *world)) {
	t.Run("single", func(t *testing.T) { test(t, newWorld(t)) })
	t.Run("batch", func(t *testing.T) {
		w := newWorld(t)
		w.batches()
		test(t, w)
	})
}

func TestSettled(t *testing.T) {
	both(t, func(t *testing.T, w *world) {
		id := ids(t, 2)
		w.settles(id[0], "tombstone", id[1], id[0], strings.ToUpper(id[1]))
		w.died()
		if len(w.db.seen) != 2 || len(w.handled) != 2 {
			t.Errorf("%d events recorded, %d handled, want 2 each", len(w.db.seen), len(w.handled))
		}
	})
}

// TestRefused: what no retry can help is dead-lettered at once, and nothing is tried.
func TestRefused(t *testing.T) {
	both(t, func(t *testing.T, w *world) {
		good := ids(t, 1)[0]
		w.settles("garbage", "", "00000000-0000-4000-8000-000000000000", "00000000-0000-7000-8000-000000000000", "ffffffff-0000-7000-8000-000000000000", good)
		w.died([2]int{0, 0}, [2]int{1, 0}, [2]int{2, 0}, [2]int{3, 0}, [2]int{4, 0})
		if !slices.Equal(w.handled, []payload{good}) {
			t.Errorf("handled: %v", w.handled)
		}
	})
}

// TestRetries: the event's own failures are counted, and the records behind it go on.
func TestRetries(t *testing.T) {
	both(t, func(t *testing.T, w *world) {
		id := ids(t, 3)
		failures := map[payload]int{id[0]: 2, id[1]: 1000}
		w.handle = func(_ context.Context, p payload) error {
			if failures[p]--; failures[p] >= 0 {
				return errors.New("bad")
			}
			return nil
		}
		if w.cfg.Handle == nil {
			failures[id[0]] = 3 // the first is the whole batch's, which counts for nobody
		}
		w.settles(id...)
		w.died([2]int{1, 3})
		if len(w.db.seen) != 2 {
			t.Errorf("%d events recorded, want 2", len(w.db.seen))
		}
	})
}

// TestOutage: failures that are not the event's are not counted, whether the claim, the
// handler or the commit meets them.
func TestOutage(t *testing.T) {
	both(t, func(t *testing.T, w *world) {
		away := &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
		w.db.begin = slices.Repeat([]error{errors.New("no such table")}, 7)
		w.db.commit = slices.Repeat([]error{away}, 7)
		outages := 7
		w.handle = func(context.Context, payload) error {
			if outages--; outages >= 0 {
				return fmt.Errorf("provider: %w", away)
			}
			return nil
		}
		w.settles(ids(t, 3)...)
		w.died()
		if len(w.db.seen) != 3 {
			t.Errorf("%d events recorded, want 3", len(w.db.seen))
		}
	})
}

// TestOutageAfterFailure: an outage of the database is none of the event's failures either
// when it comes between them.
func TestOutageAfterFailure(t *testing.T) {
	both(t, func(t *testing.T, w *world) {
		w.handle = func(context.Context, payload) error {
			w.db.begin = slices.Repeat([]error{errors.New("no such table")}, 7)
			if len(w.handled) > 1 {
				return nil
			}
			return errors.New("bad")
		}
		w.settles(ids(t, 1)...)
		w.died()
	})
}

// TestCommitFails: a queued statement or a deferred constraint speaks at the commit, and
// is the event's own failure.
func TestCommitFails(t *testing.T) {
	both(t, func(t *testing.T, w *world) {
		w.db.commit = slices.Repeat([]error{errors.New("constraint violated")}, 3)
		w.settles(ids(t, 1)...)
		w.died([2]int{0, 3})
	})
}

// TestUnmadePartition: when maintenance is behind, events wait for it.
func TestUnmadePartition(t *testing.T) {
	both(t, func(t *testing.T, w *world) {
		w.db.begin = slices.Repeat([]error{errNoPartition}, 7)
		w.settles(ids(t, 1)...)
		w.died()
		if len(w.db.seen) != 1 {
			t.Errorf("%d events recorded, want 1", len(w.db.seen))
		}
	})
}

func TestReject(t *testing.T) {
	both(t, func(t *testing.T, w *world) {
		declined := errors.New("declined")
		w.cfg.Classify = func(err error) consumer.Verdict {
			if errors.Is(err, declined) {
				return consumer.Reject
			}
			return consumer.Classify(err)
		}
		w.handle = func(context.Context, payload) error { return declined }
		w.settles(ids(t, 1)...)
		w.died([2]int{0, 1})
	})
}

// TestDeadLetterFails: nothing from the record on is settled, and what is before it is.
func TestDeadLetterFails(t *testing.T) {
	both(t, func(t *testing.T, w *world) {
		id := ids(t, 4)
		w.deadErr = errors.New("the topic is away")
		w.handle = func(_ context.Context, p payload) error {
			if p == id[2] {
				return errors.New("bad")
			}
			return nil
		}
		settled, err := w.process(t.Context(), id...)
		if settled != 2 || !errors.Is(err, w.deadErr) || errors.Is(err, consumer.ErrStopped) {
			t.Errorf("%d settled, %v", settled, err)
		}
	})
}

// TestStopped: between two attempts the consumer stops at once, and within one it has the
// grace.
func TestStopped(t *testing.T) {
	both(t, func(t *testing.T, w *world) {
		ctx, cancel := context.WithCancel(t.Context())
		w.cfg.Backoff, w.cfg.MaxBackoff = time.Hour, time.Hour
		id := ids(t, 2)
		w.handle = func(work context.Context, _ payload) error {
			cancel()
			if work.Err() != nil {
				t.Error("the work is cut off without grace")
			}
			return errors.New("bad")
		}
		settled, err := w.process(ctx, id...)
		if settled != 0 || !errors.Is(err, consumer.ErrStopped) || !errors.Is(err, context.Canceled) {
			t.Errorf("%d settled, %v", settled, err)
		}
		w.died()
	})
}

func TestGrace(t *testing.T) {
	both(t, func(t *testing.T, w *world) {
		ctx, cancel := context.WithCancel(t.Context())
		w.cfg.Grace, w.cfg.MaxAttempts = 20*time.Millisecond, 1
		w.handle = func(work context.Context, _ payload) error {
			cancel()
			<-work.Done()
			return work.Err()
		}
		settled, err := w.process(ctx, ids(t, 1)...)
		if settled != 0 || !errors.Is(err, consumer.ErrStopped) {
			t.Errorf("%d settled, %v", settled, err)
		}
		w.died()
	})
}

func TestFinishedWithinGrace(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	w.handle = func(context.Context, payload) error {
		cancel()
		return nil
	}
	settled, err := w.process(ctx, ids(t, 2)...)
	if settled != 1 || !errors.Is(err, consumer.ErrStopped) || len(w.db.seen) != 1 {
		t.Errorf("%d settled, %d recorded, %v", settled, len(w.db.seen), err)
	}
}

func TestPanic(t *testing.T) {
	both(t, func(t *testing.T, w *world) {
		w.handle = func(context.Context, payload) error { panic("oh") }
		defer func() {
			if recover() == nil {
				t.Error("the panic is swallowed")
			}
			w.died()
		}()
		_, _ = w.process(t.Context(), ids(t, 1)...)
	})
}

type sqlState string

func (s sqlState) Error() string    { return "SQLSTATE " + string(s) }
func (s sqlState) SQLState() string { return string(s) }

type unsent struct{ error }

func (unsent) Error() string     { return "conn closed" }
func (u unsent) Unwrap() error   { return u.error }
func (unsent) SafeToRetry() bool { return true }

type timeout struct{}

func (timeout) Error() string   { return "timeout" }
func (timeout) Timeout() bool   { return true }
func (timeout) Temporary() bool { return true }

func TestClassify(t *testing.T) {
	for _, c := range []struct {
		err  error
		want consumer.Verdict
	}{
		{errors.New("bad"), consumer.Retry},
		{context.DeadlineExceeded, consumer.Retry},
		{io.EOF, consumer.Retry},
		{&net.OpError{Op: "read", Err: timeout{}}, consumer.Retry},
		{&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, consumer.Wait},
		{&net.OpError{Op: "dial", Err: timeout{}}, consumer.Wait},
		{&net.DNSError{Err: "no such host"}, consumer.Retry},
		{io.ErrUnexpectedEOF, consumer.Wait},
		{unsent{}, consumer.Wait},
		{unsent{context.DeadlineExceeded}, consumer.Retry},
		{driver.ErrBadConn, consumer.Wait},
		{sqlState("23505"), consumer.Retry},
		{sqlState("23514"), consumer.Retry},
		{sqlState("57014"), consumer.Retry},
		{sqlState("40001"), consumer.Wait},
		{sqlState("55P03"), consumer.Wait},
		{sqlState("57P01"), consumer.Wait},
		{sqlState("53300"), consumer.Wait},
		{sqlState("25006"), consumer.Wait},
		{sqlState("08006"), consumer.Wait},
	} {
		if got := consumer.Classify(fmt.Errorf("work: %w", c.err)); got != c.want {
			t.Errorf("%v: %s, want %s", c.err, got, c.want)
		}
	}
}

func TestConfig(t *testing.T) {
	type config = consumer.Config[*tx, payload]
	for _, c := range []struct {
		change func(*config)
		want   string
	}{
		{func(*config) {}, ""},
		{func(c *config) { c.Store = nil }, "Config.Store"},
		{func(c *config) { c.Group = "" }, "Config.Group"},
		{func(c *config) { c.Decode = nil }, "Config.Decode"},
		{func(c *config) { c.ID = nil }, "Config.ID"},
		{func(c *config) { c.DeadLetter = nil }, "Config.DeadLetter"},
		{func(c *config) { c.Handle = nil }, "Config.Handle"},
		{func(c *config) { c.HandleBatch = func(context.Context, *tx, []payload) error { return nil } }, "Config.HandleBatch"},
		{func(c *config) { c.MaxAttempts = -1 }, "MaxAttempts"},
		{func(c *config) { c.Grace = -1 }, "Grace"},
	} {
		cfg := newWorld(t).cfg
		c.change(&cfg)
		_, err := consumer.New(cfg)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want one about %q", err, c.want)
		}
	}
}
