package outbox_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/internal/pgtest"
	"github.com/idemlint/idemlint/idem/money"
	"github.com/idemlint/idemlint/idem/outbox"
)

// awaitRow waits until the query, a count, is not zero.
func awaitRow(t *testing.T, db *sql.DB, query string) {
	t.Helper()
	for range 6000 {
		var n int
		if err := db.QueryRow(query).Scan(&n); err != nil {
			t.Fatal(err)
		}
		if n > 0 {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("never true: %s", query)
}

// drain runs workers until no call is pending.
func drain(t *testing.T, db *sql.DB, worker *outbox.Worker, concurrency int) {
	t.Helper()
	var wg sync.WaitGroup
	for range concurrency {
		wg.Go(func() {
			for {
				found, err := worker.RunOnce(context.Background())
				if err != nil {
					t.Error(err)
					return
				}
				// Nothing is due, yet a call that another is sending may be soon.
				if !found && count(t, db, "pending") == 0 {
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestWorkerSendsWithTheEventsContext(t *testing.T) {
	// Behind a pooler such as pgbouncer there are no prepared statements.
	for _, mode := range []string{"", " default_query_exec_mode=simple_protocol"} {
		_, dsn := migrated(t)
		db := open(t, dsn+mode)
		event := idem.Event{ID: newID(t), Group: "billing"}
		payload := []byte("9 \x00 \xff \\ ' EUR")
		enqueue(t, db, event.ID, outbox.Call{Step: "charge", Kind: "charge", Payload: payload})
		key, err := money.Key(event, "charge")
		if err != nil {
			t.Fatal(err)
		}
		worker := newWorker(t, db, outbox.Config{Senders: sending(func(ctx context.Context, a outbox.Attempt) error {
			if got, _ := idem.EventFrom(ctx); got != event || a.Event != event {
				t.Errorf("the event is %v, and %v in the context", a.Event, got)
			}
			if got, _ := money.StepFrom(ctx); got != "charge" || a.Step != "charge" {
				t.Errorf("the step is %q, and %q in the context", a.Step, got)
			}
			if a.Key != key || a.Number != 1 || a.Kind != "charge" || !bytes.Equal(a.Payload, payload) {
				t.Errorf("the attempt is %+v, want the key %s", a, key)
			}
			if age := time.Since(a.First); age < -time.Minute || age > time.Minute {
				t.Errorf("the first attempt was %s ago", age)
			}
			if _, ok := ctx.Deadline(); !ok {
				t.Error("the attempt has no deadline")
			}
			return nil
		})})
		once(t, worker)
		wantRows(t, db, "charge sent 1")
		idle(t, worker)
	}
}

// Each event is charged exactly once whatever the provider does, and not when the key is a
// new one for each attempt: then this very check fails.
func TestWorkerChargesOnce(t *testing.T) {
	for _, tt := range []struct {
		name   string
		client *http.Client
		once   bool
	}{{"derived key", keyed(), true}, {"random key", unkeyed(), false}} {
		t.Run(tt.name, func(t *testing.T) {
			db, _ := migrated(t)
			bodies := enqueueMany(t, db, 150)
			p := newProvider(t, upTo(3, anyFault()...))
			worker := newWorker(t, db, outbox.Config{Senders: sending(post(tt.client, p.URL))})
			drain(t, db, worker, 8)
			if n := count(t, db, "sent"); n != len(bodies) {
				t.Errorf("%d of %d calls are sent: %s", n, len(bodies), rows(t, db))
			}
			for f := range faults {
				if p.count(f) < 10 {
					t.Errorf("the fault %d was tried only %d times", f, p.count(f))
				}
			}
			if err := p.chargedOnce(bodies); (err == nil) != tt.once {
				t.Errorf("charged exactly once: %v, want %t", err, tt.once)
			}
		})
	}
}

func TestWorkersShareTheTable(t *testing.T) {
	db, _ := migrated(t)
	bodies := enqueueMany(t, db, 200)
	p := newProvider(t, func(int) fault { return none })
	var wg sync.WaitGroup
	for range 4 {
		worker := newWorker(t, db, outbox.Config{Senders: sending(post(keyed(), p.URL))})
		wg.Go(func() { drain(t, db, worker, 2) })
	}
	wg.Wait()
	if err := p.chargedOnce(bodies); err != nil {
		t.Error(err)
	}
	// Not only did the provider see through it: nothing was sent twice.
	if n := p.count(none); n != len(bodies) {
		t.Errorf("%d requests for %d calls", n, len(bodies))
	}
}

func TestWorkerRetries(t *testing.T) {
	db, _ := migrated(t)
	enqueue(t, db, newID(t), charge)
	var logged bytes.Buffer
	var numbers, backoffs []int
	var keys []string
	fail := errors.New("the connection\x00 is reset \xff")
	worker := newWorker(t, db, outbox.Config{
		Senders: sending(func(_ context.Context, a outbox.Attempt) error {
			numbers, keys = append(numbers, a.Number), append(keys, a.Key)
			return fail
		}),
		Backoff:     func(n int) time.Duration { backoffs = append(backoffs, n); return time.Hour },
		MaxAttempts: 3,
		Logger:      slog.New(slog.NewTextHandler(&logged, nil)),
		OnDead: func(_ context.Context, a outbox.Attempt, err error) {
			if a.Number != 3 || !errors.Is(err, fail) {
				t.Errorf("OnDead of %+v, %v", a, err)
			}
			if n := count(t, db, "dead"); n != 1 {
				t.Errorf("OnDead is called before the row is dead")
			}
			numbers = append(numbers, -1)
		},
	})
	const cause = ": the connection is reset \uFFFD"
	for i, want := range []string{"charge pending 1" + cause, "charge pending 2" + cause, "charge dead 3" + cause} {
		once(t, worker)
		wantRows(t, db, want)
		idle(t, worker)
		if i < 2 {
			var wait float64
			if err := db.QueryRow(`SELECT extract(epoch FROM due_at - now()) FROM idem_outbox`).Scan(&wait); err != nil {
				t.Fatal(err)
			}
			if wait < 3500 || wait > 3600 {
				t.Errorf("the next attempt is in %.0f s, want the hour of the backoff", wait)
			}
		}
		execute(t, db, `UPDATE idem_outbox SET due_at = now() - interval '1 second'`)
	}
	idle(t, worker)
	if got := fmt.Sprint(numbers, backoffs); got != "[1 2 3 -1] [1 2]" {
		t.Errorf("attempts and backoffs: %s", got)
	}
	if keys[0] != keys[1] || keys[1] != keys[2] {
		t.Errorf("the key changed: %q", keys)
	}
	for _, want := range []string{"level=WARN", "level=ERROR", "key=" + keys[0]} {
		if !strings.Contains(logged.String(), want) {
			t.Errorf("the log lacks %s:\n%s", want, &logged)
		}
	}
}

func TestWorkerGivesUpAtOnce(t *testing.T) {
	for _, tt := range []struct {
		name string
		send outbox.Sender
		want string
	}{
		{"permanent", func(context.Context, outbox.Attempt) error {
			return fmt.Errorf("no such account: %w", outbox.ErrPermanent)
		}, "charge dead 1: no such account: a retry does not help"},
		{"mistake of the program", func(context.Context, outbox.Attempt) error {
			_, err := money.Guard{}.Key(context.Background(), "")
			return err
		}, "charge pending 1: money: a money call is refused: "},
		{"panic", func(context.Context, outbox.Attempt) error {
			panic("nil account")
		}, `charge pending 1: the Sender of kind "charge" panicked: nil account`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			db, _ := migrated(t)
			enqueue(t, db, newID(t), charge)
			once(t, newWorker(t, db, outbox.Config{Senders: sending(tt.send)}))
			if got := rows(t, db); !strings.HasPrefix(got, tt.want) {
				t.Errorf("the table has %q, want %q", got, tt.want)
			}
		})
	}
}

func TestWorkerOtherBodyUnderTheKey(t *testing.T) {
	db, _ := migrated(t)
	enqueue(t, db, newID(t), charge)
	p := newProvider(t, upTo(1, chargedReset))
	n := 0
	worker := newWorker(t, db, outbox.Config{Senders: sending(func(ctx context.Context, a outbox.Attempt) error {
		n++
		a.Payload = fmt.Appendf(nil, "9 EUR at attempt %d", n)
		return post(keyed(), p.URL)(ctx, a)
	})})
	once(t, worker)
	once(t, worker)
	wantRows(t, db, "charge dead 2: the provider answers 422 Unprocessable Entity: a retry does not help")
}

// The provider's window counts from the first attempt, whether the worker has the guard or
// the transport: an event that waited for years and was never tried is charged, one that
// was tried a day ago is not.
func TestWorkerWindow(t *testing.T) {
	window := money.Guard{Window: 23 * time.Hour}
	for _, tt := range []struct {
		name              string
		id                string
		worker, transport money.Guard
	}{
		{"worker's, v7", "017f22e2-79b0-7cc3-98c4-dc0c0c07398f", window, money.Guard{}},
		{"worker's, no age in the id", "order-1", window, money.Guard{}},
		{"transport's, v7", "017f22e2-79b0-7cc3-98c4-dc0c0c07398f", money.Guard{}, window},
		{"transport's, no age in the id", "order-1", money.Guard{}, window},
	} {
		t.Run(tt.name, func(t *testing.T) {
			db, _ := migrated(t)
			enqueue(t, db, tt.id, charge)
			p := newProvider(t, upTo(1, chargedReset))
			client := keyed()
			client.Transport.(*money.Transport).Guard = tt.transport
			var dead error
			worker := newWorker(t, db, outbox.Config{
				Guard:   tt.worker,
				Senders: sending(post(client, p.URL)),
				OnDead:  func(_ context.Context, _ outbox.Attempt, err error) { dead = err },
			})
			once(t, worker)
			if p.count(chargedReset) != 1 {
				t.Fatalf("an old event that was never tried is not sent: %s", rows(t, db))
			}
			execute(t, db, `UPDATE idem_outbox SET first_attempt_at = first_attempt_at - interval '24 hours'`)
			once(t, worker)
			if !errors.Is(dead, money.ErrWindowPassed) || count(t, db, "dead") != 1 || p.count(none) != 0 {
				t.Fatalf("the error is %v, the rows %s, and %d requests too many", dead, rows(t, db), p.count(none))
			}
		})
	}
}

func TestWorkerForeignKey(t *testing.T) {
	db, _ := migrated(t)
	enqueue(t, db, newID(t), charge)
	execute(t, db, `UPDATE idem_outbox SET event_id = 'order-1'`)
	worker := newWorker(t, db, outbox.Config{Senders: sending(func(context.Context, outbox.Attempt) error {
		t.Error("it was sent")
		return nil
	})})
	once(t, worker)
	if got := rows(t, db); !strings.HasPrefix(got, "charge dead 1: the row's idempotency_key is not the one") {
		t.Fatalf("the table has %q", got)
	}
}

func TestWorkerLeavesOtherKinds(t *testing.T) {
	db, _ := migrated(t)
	enqueue(t, db, newID(t), outbox.Call{Step: "mail", Kind: `of a "newer" version, {here}`})
	enqueue(t, db, newID(t), charge)
	ok := func(context.Context, outbox.Attempt) error { return nil }
	worker := newWorker(t, db, outbox.Config{Senders: sending(ok)})
	once(t, worker)
	idle(t, worker)
	wantRows(t, db, "mail pending 0; charge sent 1")
	once(t, newWorker(t, db, outbox.Config{Senders: map[string]outbox.Sender{`of a "newer" version, {here}`: ok}}))
	wantRows(t, db, "mail sent 1; charge sent 1")
}

// Attempts that end with the process are counted too: a call that kills every worker does
// not do so for ever.
func TestWorkerDiesAtEachAttempt(t *testing.T) {
	db, _ := migrated(t)
	enqueue(t, db, newID(t), charge)
	execute(t, db, `UPDATE idem_outbox SET attempts = 3, first_attempt_at = now()`)
	worker := newWorker(t, db, outbox.Config{MaxAttempts: 3, Senders: sending(func(context.Context, outbox.Attempt) error {
		t.Error("it was sent a fourth time")
		return nil
	})})
	once(t, worker)
	wantRows(t, db, "charge dead 4: the process ended during the last attempt, so its answer is unknown")
}

func TestWorkerTimeout(t *testing.T) {
	db, _ := migrated(t)
	enqueue(t, db, newID(t), charge)
	once(t, newWorker(t, db, outbox.Config{Timeout: time.Millisecond, Senders: sending(func(ctx context.Context, _ outbox.Attempt) error {
		<-ctx.Done()
		return ctx.Err()
	})}))
	wantRows(t, db, "charge pending 1: context deadline exceeded")
}

func TestRunStopsGracefully(t *testing.T) {
	db, _ := migrated(t)
	enqueueMany(t, db, 3)
	begun, end := make(chan context.Context), make(chan struct{})
	worker := newWorker(t, db, outbox.Config{Concurrency: 2, Poll: time.Millisecond, Senders: sending(func(ctx context.Context, _ outbox.Attempt) error {
		begun <- ctx
		<-end
		return ctx.Err()
	})})
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- worker.Run(ctx) }()
	one, two := <-begun, <-begun // at the same time
	stop()
	select {
	case err := <-ended:
		t.Fatalf("Run returns %v while it sends", err)
	case <-begun:
		t.Fatal("Run begins another attempt")
	case <-time.After(50 * time.Millisecond):
	}
	if one.Err() != nil || two.Err() != nil {
		t.Fatal("the attempts under way are cancelled")
	}
	close(end)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if sent, pending := count(t, db, "sent"), count(t, db, "pending"); sent != 2 || pending != 1 {
		t.Fatalf("%d sent and %d pending: %s", sent, pending, rows(t, db))
	}
	if found, err := worker.RunOnce(ctx); found || !errors.Is(err, context.Canceled) {
		t.Fatalf("RunOnce after the stop = %t, %v", found, err)
	}
}

// lines is a writer that keeps the first line that nobody has read yet.
type lines chan string

func (l lines) Write(b []byte) (int, error) {
	select {
	case l <- string(b):
	default:
	}
	return len(b), nil
}

// Calls that are enqueued while Run waits are found, also after the database was away.
func TestRunOutlivesTheDatabase(t *testing.T) {
	db, _ := migrated(t)
	logged := make(lines, 1)
	worker := newWorker(t, db, outbox.Config{
		Poll:    time.Millisecond,
		Senders: sending(func(context.Context, outbox.Attempt) error { return nil }),
		Logger:  slog.New(slog.NewTextHandler(logged, nil)),
	})
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- worker.Run(ctx) }()
	enqueue(t, db, newID(t), charge)
	awaitRow(t, db, `SELECT count(*) FROM idem_outbox WHERE state = 'sent'`)
	execute(t, db, `ALTER TABLE idem_outbox RENAME TO away`)
	select {
	case line := <-logged:
		if !strings.Contains(line, "level=ERROR") || !strings.Contains(line, "42P01") {
			t.Errorf("the log has %s", line)
		}
	case <-time.After(time.Minute):
		t.Error("nothing is logged")
	}
	execute(t, db, `ALTER TABLE away RENAME TO idem_outbox`)
	enqueue(t, db, newID(t), charge)
	awaitRow(t, db, `SELECT count(*) / 2 FROM idem_outbox WHERE state = 'sent'`)
	stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
}

func TestRunWithoutTheTable(t *testing.T) {
	db := open(t, pgtest.Database(t))
	worker := newWorker(t, db, outbox.Config{Senders: sending(func(context.Context, outbox.Attempt) error { return nil })})
	if err := worker.Run(context.Background()); err == nil || !strings.Contains(err.Error(), "outbox.Migrate") {
		t.Fatalf("Run: %v", err)
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if err := worker.Run(stopped); err != nil {
		t.Fatalf("Run that is told to stop as it begins: %v", err)
	}
}

func TestNewWorkerRefuses(t *testing.T) {
	ok := sending(func(context.Context, outbox.Attempt) error { return nil })
	for name, cfg := range map[string]outbox.Config{
		"no senders":  {},
		"nil sender":  {Senders: sending(nil)},
		"concurrency": {Senders: ok, Concurrency: -1},
		"poll":        {Senders: ok, Poll: -1},
		"timeout":     {Senders: ok, Timeout: -1},
		"attempts":    {Senders: ok, MaxAttempts: -1},
	} {
		if w, err := outbox.NewWorker(nil, cfg); err == nil || w != nil {
			t.Errorf("%s: NewWorker = %v, %v", name, w, err)
		}
	}
}

func TestBackoff(t *testing.T) {
	for _, tt := range []struct {
		attempt int
		most    time.Duration
	}{{0, time.Second}, {1, time.Second}, {2, 2 * time.Second}, {10, 512 * time.Second}, {11, 15 * time.Minute}, {1000, 15 * time.Minute}} {
		for range 100 {
			if d := outbox.Backoff(tt.attempt); d < tt.most/2 || d > tt.most {
				t.Fatalf("Backoff(%d) = %s, want %s to %s", tt.attempt, d, tt.most/2, tt.most)
			}
		}
	}
}

func TestCheckResponse(t *testing.T) {
	for _, tt := range []struct {
		ok, permanent bool
		codes         []int
	}{
		{true, false, []int{200, 201, 202, 204, 299}},
		{false, false, []int{401, 403, 408, 409, 425, 429, 500, 502, 503, 504, 599}},
		{false, true, []int{199, 300, 301, 304, 400, 402, 404, 410, 422}},
	} {
		for _, code := range tt.codes {
			err := outbox.CheckResponse(&http.Response{StatusCode: code, Status: fmt.Sprintf("%d x", code)})
			if (err == nil) != tt.ok || errors.Is(err, outbox.ErrPermanent) != tt.permanent {
				t.Errorf("%d: %v", code, err)
			}
		}
	}
}

func TestPurge(t *testing.T) {
	db, _ := migrated(t)
	execute(t, db, `INSERT INTO idem_outbox (event_id, consumer_group, step, idempotency_key, kind, payload, state, done_at)
		SELECT 'sent-' || n, 'g', 's', 'k', 'charge', ''::bytea, 'sent', now() - interval '8 days' FROM generate_series(1, 2500) n
		UNION ALL SELECT 'lately', 'g', 's', 'k', 'charge', ''::bytea, 'sent', now() - interval '6 days'
		UNION ALL SELECT 'dead', 'g', 's', 'k', 'charge', ''::bytea, 'dead', now() - interval '8 days'`)
	enqueue(t, db, newID(t), charge)
	execute(t, db, `UPDATE idem_outbox SET created_at = now() - interval '8 days'`)
	if n, err := outbox.Purge(context.Background(), db, 7*24*time.Hour); err != nil || n != 2500 {
		t.Fatalf("Purge = %d, %v", n, err)
	}
	wantRows(t, db, "s sent 0; s dead 0; charge pending 0")
}
