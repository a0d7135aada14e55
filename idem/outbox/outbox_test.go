package outbox_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/eventid"
	"github.com/idemlint/idemlint/idem/internal/pgtest"
	"github.com/idemlint/idemlint/idem/money"
	"github.com/idemlint/idemlint/idem/outbox"

	"github.com/google/uuid"
)

func TestMain(m *testing.M) {
	if os.Getenv(childEnv) != "" {
		os.Exit(child())
	}
	pgtest.Main(m)
}

func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// migrated returns a database with the outbox in it.
func migrated(t *testing.T) (*sql.DB, string) {
	t.Helper()
	dsn := pgtest.Database(t)
	db := open(t, dsn)
	if err := outbox.Migrate(context.Background(), db); err != nil {
		t.Fatal(err)
	}
	return db, dsn
}

func newID(t *testing.T) string {
	t.Helper()
	id, err := eventid.New()
	if err != nil {
		t.Fatal(err)
	}
	return id.String()
}

func of(id string) context.Context {
	return idem.WithEvent(context.Background(), idem.Event{ID: id, Group: "billing"})
}

// enqueue writes a call in a transaction of its own.
func enqueue(t *testing.T, db *sql.DB, id string, call outbox.Call) {
	t.Helper()
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if first, err := outbox.Enqueue(of(id), outbox.SQL(tx), call); err != nil || !first {
		t.Fatalf("Enqueue = %t, %v", first, err)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
}

// enqueueMany writes n charges and returns what is charged.
func enqueueMany(t *testing.T, db *sql.DB, n int) (bodies []string) {
	t.Helper()
	for i := range n {
		body := fmt.Sprintf("charge %d", i)
		enqueue(t, db, newID(t), outbox.Call{Step: "charge", Kind: "charge", Payload: []byte(body)})
		bodies = append(bodies, body)
	}
	return bodies
}

// post is a Sender that leaves the key to the client's transport.
func post(client *http.Client, url string) outbox.Sender {
	return func(ctx context.Context, a outbox.Attempt) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(a.Payload))
		if err != nil {
			return err
		}
		resp, err := client.Do(req)
		if err != nil {
			return err
		}
		defer func() { _ = resp.Body.Close() }()
		return outbox.CheckResponse(resp)
	}
}

// keyed is a client whose requests carry the event's key. It opens a connection for each
// request: on a kept one net/http would repeat a request itself, and hide a fault.
func keyed() *http.Client {
	return &http.Client{Transport: &money.Transport{Base: &http.Transport{DisableKeepAlives: true}}}
}

// unkeyed is the mistake that all this is about: a new key for each attempt.
func unkeyed() *http.Client { return &http.Client{Transport: randomKey{}} }

type randomKey struct{}

func (randomKey) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set("Idempotency-Key", uuid.NewString())
	return (&http.Transport{DisableKeepAlives: true}).RoundTrip(req)
}

func newWorker(t *testing.T, db *sql.DB, cfg outbox.Config) *outbox.Worker {
	t.Helper()
	if cfg.Logger == nil {
		cfg.Logger = quiet()
	}
	if cfg.Backoff == nil {
		cfg.Backoff = func(int) time.Duration { return 0 }
	}
	worker, err := outbox.NewWorker(db, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return worker
}

func sending(send outbox.Sender) map[string]outbox.Sender {
	return map[string]outbox.Sender{"charge": send}
}

// once makes one attempt, and wants to find a call for it.
func once(t *testing.T, w *outbox.Worker) {
	t.Helper()
	if found, err := w.RunOnce(context.Background()); err != nil || !found {
		t.Fatalf("RunOnce = %t, %v; want an attempt", found, err)
	}
}

// idle wants RunOnce to find nothing.
func idle(t *testing.T, w *outbox.Worker) {
	t.Helper()
	if found, err := w.RunOnce(context.Background()); err != nil || found {
		t.Fatalf("RunOnce = %t, %v; want nothing due", found, err)
	}
}

func execute(t *testing.T, db *sql.DB, query string) {
	t.Helper()
	if _, err := db.Exec(query); err != nil {
		t.Fatal(err)
	}
}

// rows returns "step state attempts" of each call, and its error where it has one.
func rows(t *testing.T, db *sql.DB) string {
	t.Helper()
	r, err := db.Query(`SELECT step, state, attempts, coalesce(': ' || last_error, '') FROM idem_outbox ORDER BY id`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	var all []string
	for r.Next() {
		var step, state, cause string
		var attempts int
		if err := r.Scan(&step, &state, &attempts, &cause); err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprintf("%s %s %d%s", step, state, attempts, cause))
	}
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(all, "; ")
}

func wantRows(t *testing.T, db *sql.DB, want string) {
	t.Helper()
	if got := rows(t, db); got != want {
		t.Fatalf("the table has %q, want %q", got, want)
	}
}

// count returns how many calls are in the state.
func count(t *testing.T, db *sql.DB, state string) (n int) {
	t.Helper()
	if err := db.QueryRow(`SELECT count(*) FROM idem_outbox WHERE state = $1`, state).Scan(&n); err != nil {
		t.Error(err) // not Fatal: it is also called from goroutines
	}
	return n
}
