package idemtest_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/eventid"
	"github.com/idemlint/idemlint/idem/idempgx"
	"github.com/idemlint/idemlint/idem/idemsql"
	"github.com/idemlint/idemlint/idem/idemtest"
	"github.com/idemlint/idemlint/idem/internal/pgtest"
	"github.com/idemlint/idemlint/idem/schema"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

const group = "billing"

// order is the record of these tests: an account is charged once for each.
type order struct {
	id    string
	cents int
}

// bench is a database with what the handlers under test write into.
type bench struct {
	dsn    string
	pool   *pgxpool.Pool
	cfg    idem.Config
	orders []order
	// charged counts the charges at a provider that knows no keys.
	mu      sync.Mutex
	charged map[string]int
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{dsn: pgtest.Database(t), cfg: idem.Config{Retention: 48 * time.Hour}}
	b.pool = pgtest.Pool(t, b.dsn)
	if _, err := idempgx.Migrate(t.Context(), b.pool, b.cfg); err != nil {
		t.Fatal(err)
	}
	upkeep, err := idempgx.NewMaintainer(b.pool, b.cfg, idempgx.Upkeep{Ahead: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := upkeep.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, err = b.pool.Exec(t.Context(), `
		CREATE TABLE invoice (event_id text NOT NULL, cents int NOT NULL);
		CREATE TABLE seen (event_id text PRIMARY KEY);
		CREATE TABLE seen_unkeyed (event_id text NOT NULL);
		CREATE TABLE seen_by_time (event_id text NOT NULL, processed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
			PRIMARY KEY (event_id, processed_at)) PARTITION BY RANGE (processed_at);
		CREATE TABLE seen_by_time_all PARTITION OF seen_by_time FOR VALUES FROM (MINVALUE) TO (MAXVALUE);`)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		id, err := eventid.New()
		if err != nil {
			t.Fatal(err)
		}
		b.orders = append(b.orders, order{id.String(), 100 + i})
	}
	return b
}

func (b *bench) reset(ctx context.Context) error {
	b.mu.Lock()
	b.charged = map[string]int{}
	b.mu.Unlock()
	_, err := b.pool.Exec(ctx, `DELETE FROM invoice; DELETE FROM seen; DELETE FROM seen_unkeyed; DELETE FROM seen_by_time; DELETE FROM processed_event`)
	return err
}

// once is the invariant: each order has one invoice.
func (b *bench) once(ctx context.Context) error {
	rows, err := b.pool.Query(ctx, `SELECT event_id, count(*) FROM invoice GROUP BY event_id`)
	if err != nil {
		return err
	}
	counts := map[string]int{}
	var id string
	var n int
	if _, err := pgx.ForEachRow(rows, []any{&id, &n}, func() error { counts[id] = n; return nil }); err != nil {
		return err
	}
	return b.each(counts, "invoices")
}

// chargedOnce is the invariant of the provider.
func (b *bench) chargedOnce(context.Context) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.each(b.charged, "charges")
}

func (b *bench) each(counts map[string]int, what string) error {
	for i, o := range b.orders {
		if counts[o.id] != 1 {
			return fmt.Errorf("order %d has %d %s", i+1, counts[o.id], what)
		}
	}
	return nil
}

// consumer returns what is tried: handle with a pool of each process's own.
func (b *bench) consumer(handle func(ctx context.Context, pool *pgxpool.Pool, o order) error) idemtest.Consumer[order] {
	return idemtest.Consumer[order]{
		DSN: b.dsn, Records: b.orders, Seeds: 5, Reset: b.reset, Check: b.once,
		Start: func(ctx context.Context, dsn string) (idemtest.Process[order], error) {
			pool, err := pgxpool.New(ctx, dsn)
			if err != nil {
				return idemtest.Process[order]{}, err
			}
			return idemtest.Process[order]{
				Deliver: idemtest.Each(func(ctx context.Context, o order) error { return handle(ctx, pool, o) }),
				Stop:    pool.Close,
			}, nil
		},
	}
}

func invoice(ctx context.Context, tx pgx.Tx, o order) error {
	_, err := tx.Exec(ctx, `INSERT INTO invoice VALUES ($1, $2)`, o.id, o.cents)
	return err
}

// The sound handlers come through every schedule.
func TestSoundHandlersPass(t *testing.T) {
	handlers := map[string]func(b *bench) idemtest.Consumer[order]{
		"idempgx": func(b *bench) idemtest.Consumer[order] {
			return b.consumer(b.process)
		},
		"idempgx in batches": func(b *bench) idemtest.Consumer[order] {
			c := b.consumer(nil)
			c.Poll = 2
			c.Start = func(ctx context.Context, dsn string) (idemtest.Process[order], error) {
				pool, err := pgxpool.New(ctx, dsn)
				if err != nil {
					return idemtest.Process[order]{}, err
				}
				return idemtest.Process[order]{Stop: pool.Close, Deliver: func(ctx context.Context, poll []order) error {
					return b.processBatch(ctx, pool, poll)
				}}, nil
			}
			return c
		},
		"idemsql": func(b *bench) idemtest.Consumer[order] {
			c := b.consumer(nil)
			c.Start = func(_ context.Context, dsn string) (idemtest.Process[order], error) {
				db, err := sql.Open("pgx", dsn)
				if err != nil {
					return idemtest.Process[order]{}, err
				}
				store, err := idem.New(idemsql.New(db, schema.Postgres), b.cfg)
				return idemtest.Process[order]{Stop: func() { _ = db.Close() }, Deliver: idemtest.Each(func(ctx context.Context, o order) error {
					_, err := store.Process(ctx, idem.Event{ID: o.id, Group: group}, func(ctx context.Context, tx *sql.Tx) error {
						_, err := tx.ExecContext(ctx, `INSERT INTO invoice VALUES ($1, $2)`, o.id, o.cents)
						return err
					})
					return err
				})}, err
			}
			return c
		},
		"by hand": func(b *bench) idemtest.Consumer[order] {
			return b.consumer(func(ctx context.Context, pool *pgxpool.Pool, o order) error {
				return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
					first, err := mark(ctx, tx, "seen", o)
					if err != nil || !first {
						return err
					}
					return invoice(ctx, tx, o)
				})
			})
		},
	}
	for name, consumer := range handlers {
		t.Run(name, func(t *testing.T) {
			idemtest.Test(t, consumer(newBench(t)))
		})
	}
}

func (b *bench) process(ctx context.Context, pool *pgxpool.Pool, o order) error {
	store, err := idem.New(idempgx.New(pool), b.cfg)
	if err != nil {
		return err
	}
	_, err = store.Process(ctx, idem.Event{ID: o.id, Group: group}, func(ctx context.Context, tx pgx.Tx) error {
		return invoice(ctx, tx, o)
	})
	return err
}

func (b *bench) processBatch(ctx context.Context, pool *pgxpool.Pool, poll []order) error {
	store, err := idem.New(idempgx.New(pool), b.cfg)
	if err != nil {
		return err
	}
	byID := map[string]order{}
	var events []idem.Event
	for _, o := range poll {
		byID[o.id] = o
		events = append(events, idem.Event{ID: o.id, Group: group})
	}
	_, err = store.ProcessBatch(ctx, events, func(ctx context.Context, tx pgx.Tx, fresh []idem.Event) error {
		for _, e := range fresh {
			if err := invoice(ctx, tx, byID[e.ID]); err != nil {
				return err
			}
		}
		return nil
	})
	return err
}

// mark is a gate on any table, pool or transaction.
func mark(ctx context.Context, on interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}, table string, o order) (bool, error) {
	tag, err := on.Exec(ctx, `INSERT INTO `+table+` (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, o.id)
	return tag.RowsAffected() == 1, err
}

// swallowsCommit is a handler that loses an event when its COMMIT is lost.
func swallowsCommit(ctx context.Context, pool *pgxpool.Pool, o order) error {
	tx, err := pool.Begin(ctx)
	if err != nil {
		return err
	}
	if first, err := mark(ctx, tx, "seen", o); err != nil || !first {
		return errors.Join(err, tx.Rollback(ctx))
	}
	if err := invoice(ctx, tx, o); err != nil {
		return errors.Join(err, tx.Rollback(ctx))
	}
	_ = tx.Commit(ctx)
	return nil
}

// Each broken handler fails the schedules that show its mistake, and no others but random
// ones: so a schedule that no longer finds its mistake is missed.
func TestBrokenHandlersFail(t *testing.T) {
	type handler func(b *bench, ctx context.Context, pool *pgxpool.Pool, o order) error
	tests := []struct {
		name   string
		finds  string // the kinds of the schedules that fail
		check  func(b *bench) func(context.Context) error
		handle handler
	}{
		{name: "no gate", finds: "twice replay restart crash cut cancel overlap",
			handle: func(_ *bench, ctx context.Context, pool *pgxpool.Pool, o order) error {
				return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error { return invoice(ctx, tx, o) })
			}},
		{name: "gate outside the transaction", finds: "crash cut cancel",
			handle: func(_ *bench, ctx context.Context, pool *pgxpool.Pool, o order) error {
				first, err := mark(ctx, pool, "seen", o)
				if err != nil || !first {
					return err
				}
				return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error { return invoice(ctx, tx, o) })
			}},
		{name: "gate on another transaction", finds: "crash cut cancel",
			handle: func(_ *bench, ctx context.Context, pool *pgxpool.Pool, o order) error {
				return pgx.BeginFunc(ctx, pool, func(gate pgx.Tx) error {
					first, err := mark(ctx, gate, "seen", o)
					if err != nil || !first {
						return err
					}
					return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error { return invoice(ctx, tx, o) })
				})
			}},
		{name: "acknowledged before the commit", finds: "crash cancel",
			handle: func(b *bench, ctx context.Context, pool *pgxpool.Pool, o order) error {
				idemtest.Ack(ctx)
				for b.process(ctx, pool, o) != nil && ctx.Err() == nil {
					continue // it does try again, as long as it lives
				}
				return nil
			}},
		{name: "the commit's error is ignored", finds: "cut cancel",
			handle: func(_ *bench, ctx context.Context, pool *pgxpool.Pool, o order) error {
				return swallowsCommit(ctx, pool, o)
			}},
		{name: "a cancelled context counts as done", finds: "cancel",
			handle: func(b *bench, ctx context.Context, pool *pgxpool.Pool, o order) error {
				if err := b.process(ctx, pool, o); !errors.Is(err, context.Canceled) {
					return err
				}
				return nil
			}},
		{name: "SELECT, then INSERT", finds: "overlap",
			handle: func(_ *bench, ctx context.Context, pool *pgxpool.Pool, o order) error {
				return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
					var seen bool
					if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM seen_unkeyed WHERE event_id = $1)`, o.id).Scan(&seen); err != nil || seen {
						return err
					}
					if _, err := tx.Exec(ctx, `INSERT INTO seen_unkeyed VALUES ($1)`, o.id); err != nil {
						return err
					}
					return invoice(ctx, tx, o)
				})
			}},
		{name: "key (event_id, processed_at)", finds: "twice replay restart crash cut cancel overlap",
			handle: func(_ *bench, ctx context.Context, pool *pgxpool.Pool, o order) error {
				return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
					if first, err := mark(ctx, tx, "seen_by_time", o); err != nil || !first {
						return err
					}
					return invoice(ctx, tx, o)
				})
			}},
		{name: "the gate's answer is ignored", finds: "twice replay restart crash cut cancel overlap",
			handle: func(_ *bench, ctx context.Context, pool *pgxpool.Pool, o order) error {
				return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
					if _, err := mark(ctx, tx, "seen", o); err != nil {
						return err
					}
					return invoice(ctx, tx, o)
				})
			}},
		{name: "no ON CONFLICT", finds: "twice replay restart crash cut cancel overlap",
			handle: func(_ *bench, ctx context.Context, pool *pgxpool.Pool, o order) error {
				return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
					if _, err := tx.Exec(ctx, `INSERT INTO seen VALUES ($1)`, o.id); err != nil {
						return err
					}
					return invoice(ctx, tx, o)
				})
			}},
		{name: "a charge without a key inside the transaction", finds: "crash cut cancel",
			check: func(b *bench) func(context.Context) error { return b.chargedOnce },
			handle: func(b *bench, ctx context.Context, pool *pgxpool.Pool, o order) error {
				return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
					if first, err := mark(ctx, tx, "seen", o); err != nil || !first {
						return err
					}
					b.mu.Lock()
					defer b.mu.Unlock()
					b.charged[o.id]++
					return nil
				})
			}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t)
			c := b.consumer(func(ctx context.Context, pool *pgxpool.Pool, o order) error { return tt.handle(b, ctx, pool, o) })
			if tt.check != nil {
				c.Check = tt.check(b)
			}
			report, err := idemtest.Explore(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			var found []string
			for _, f := range report.Failures {
				kind, _, _ := strings.Cut(f.Schedule, "@")
				if kind != "random" {
					found = append(found, kind)
				}
			}
			if !slices.Equal(found, strings.Fields(tt.finds)) {
				t.Errorf("the schedules that fail are %v, want %s", found, tt.finds)
				for _, f := range report.Failures {
					t.Log(f)
				}
			}
		})
	}
}
