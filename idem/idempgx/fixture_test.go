package idempgx_test

import (
	"context"
	"encoding/binary"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/eventid"
	"github.com/idemlint/idemlint/idem/idempgx"
	"github.com/idemlint/idemlint/idem/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

const group = "billing"

// fixture is a database with a dedup table and a business table, effect, which has one
// row for each time that an event's work was done.
type fixture struct {
	*testing.T
	dsn   string
	pool  *pgxpool.Pool
	cfg   idem.Config
	store *idem.Store[pgx.Tx]
	seen  *sightings
}

// sightings collects what an Observer is told.
type sightings struct {
	mu       sync.Mutex
	outcomes map[idem.Outcome]int
	retries  map[string]int
	claims   int
	age      time.Duration
}

func (s *sightings) observer() idem.Observer {
	return idem.Observer{
		Outcome: func(_ context.Context, _ idem.Event, o idem.Outcome, age time.Duration) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.outcomes[o]++
			s.age = age
		},
		Claimed: func(context.Context, string, int, time.Duration) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.claims++
		},
		Retry: func(_ context.Context, _, code string) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.retries[code]++
		},
	}
}

func (s *sightings) retried(code string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.retries[code]
}

func newFixture(t *testing.T, change ...func(*idem.Config)) *fixture {
	t.Helper()
	return newFixtureOn(t, pgtest.Database(t), change...)
}

func newFixtureOn(t *testing.T, dsn string, change ...func(*idem.Config)) *fixture {
	t.Helper()
	f := &fixture{T: t, dsn: dsn, seen: &sightings{outcomes: map[idem.Outcome]int{}, retries: map[string]int{}}}
	f.pool = pgtest.Pool(t, f.dsn)
	f.cfg = idem.Config{Retention: 48 * time.Hour, Observer: f.seen.observer()}
	for _, c := range change {
		c(&f.cfg)
	}
	ctx := t.Context()
	if _, err := idempgx.Migrate(ctx, f.pool, f.cfg); err != nil {
		t.Fatal(err)
	}
	f.maintain(idempgx.Upkeep{Ahead: time.Hour})
	f.exec("CREATE TABLE effect (event_id text NOT NULL, consumer_group text NOT NULL)")
	f.store = f.newStore(f.pool)
	return f
}

func (f *fixture) newStore(pool *pgxpool.Pool) *idem.Store[pgx.Tx] {
	f.Helper()
	store, err := idem.New(idempgx.New(pool), f.cfg)
	if err != nil {
		f.Fatal(err)
	}
	return store
}

func (f *fixture) maintainer(upkeep idempgx.Upkeep) *idempgx.Maintainer {
	f.Helper()
	m, err := idempgx.NewMaintainer(f.pool, f.cfg, upkeep)
	if err != nil {
		f.Fatal(err)
	}
	return m
}

func (f *fixture) maintain(upkeep idempgx.Upkeep) idempgx.Report {
	f.Helper()
	report, err := f.maintainer(upkeep).Maintain(context.Background())
	if err != nil {
		f.Fatal(err)
	}
	return report
}

func (f *fixture) exec(sql string, args ...any) {
	f.Helper()
	if _, err := f.pool.Exec(context.Background(), sql, args...); err != nil {
		f.Fatalf("%s: %v", sql, err)
	}
}

func (f *fixture) count(sql string, args ...any) int {
	f.Helper()
	var n int
	if err := f.pool.QueryRow(context.Background(), sql, args...).Scan(&n); err != nil {
		f.Fatalf("%s: %v", sql, err)
	}
	return n
}

// effects returns how often the work of an event was done, in all groups.
func (f *fixture) effects(id string) int {
	f.Helper()
	return f.count("SELECT count(*) FROM effect WHERE event_id = $1", id)
}

// work does an event's work: it writes the row that effects counts.
func work(ctx context.Context, tx pgx.Tx) error {
	e, _ := idem.EventFrom(ctx)
	return effect(ctx, tx, []idem.Event{e})
}

func effect(ctx context.Context, tx pgx.Tx, events []idem.Event) error {
	for _, e := range events {
		if _, err := tx.Exec(ctx, "INSERT INTO effect VALUES ($1, $2)", e.ID, e.Group); err != nil {
			return err
		}
	}
	return nil
}

func newID(t testing.TB) string {
	t.Helper()
	id, err := eventid.New()
	if err != nil {
		t.Fatal(err)
	}
	return id.String()
}

// idAt returns a new event id that was made at a time.
func idAt(at time.Time) string {
	id := uuid.New()
	var ms [8]byte
	binary.BigEndian.PutUint64(ms[:], uint64(at.UnixMilli()))
	copy(id[:6], ms[2:])
	id[6] = id[6]&0x0f | 0x70
	return id.String()
}

func event(id string) idem.Event { return idem.Event{ID: id, Group: group} }
