package idempgx_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/idempgx"
	"github.com/idemlint/idemlint/idem/internal/pgtest"
)

func (f *fixture) process(e idem.Event) (idem.Outcome, error) {
	return f.store.Process(context.Background(), e, work)
}

func (f *fixture) want(e idem.Event, want idem.Outcome) {
	f.Helper()
	got, err := f.process(e)
	if got != want || (err != nil) != want.Refused() {
		f.Errorf("%s: %s, %v; want %s", e, got, err, want)
	}
}

func TestRedelivery(t *testing.T) {
	for _, schema := range []idem.Schema{idem.Partitioned, idem.Plain} {
		t.Run(schema.String(), func(t *testing.T) {
			f := newFixture(t, func(c *idem.Config) { c.Schema = schema })
			id := newID(t)
			f.want(event(id), idem.Processed)
			f.want(event(id), idem.Duplicate)
			f.want(idem.Event{ID: id, Group: "shipping"}, idem.Processed)
			f.want(idem.Event{ID: id, Group: "shipping"}, idem.Duplicate)
			if n := f.effects(id); n != 2 {
				t.Errorf("the work was done %d times, want once for each group", n)
			}
			if f.seen.outcomes[idem.Duplicate] != 2 || f.seen.outcomes[idem.Processed] != 2 || f.seen.claims != 4 {
				t.Errorf("the observer saw %+v", f.seen)
			}
			if f.seen.age <= 0 || f.seen.age > time.Minute {
				t.Errorf("the age of a new event is %s", f.seen.age)
			}
		})
	}
}

func TestSpellingsOfOneID(t *testing.T) {
	f := newFixture(t)
	id := newID(t)
	f.want(event(strings.ToUpper(id)), idem.Processed)
	f.want(event(id), idem.Duplicate)
	id = newID(t)
	results, err := f.store.ProcessBatch(t.Context(), []idem.Event{event(newID(t)), event(strings.ToUpper(id)), event(id)}, effect)
	if err != nil || results[1].Outcome != idem.Processed || results[2].Outcome != idem.Duplicate {
		t.Errorf("the batch: %+v, %v", results, err)
	}
}

func TestPlainTakesAnyText(t *testing.T) {
	f := newFixture(t, func(c *idem.Config) { c.Schema = idem.Plain })
	for _, id := range []string{"order-1", "ORDER-1", "order-1 ", `{"a",b\}`, "'; --", "ю", strings.Repeat("x", 255)} {
		f.want(event(id), idem.Processed)
		f.want(event(id), idem.Duplicate)
	}
}

func TestInvalidEvents(t *testing.T) {
	f := newFixture(t, func(c *idem.Config) { c.Schema = idem.Plain })
	for _, e := range []idem.Event{{Group: group}, {ID: "a"}, event("a\x00b"), event("\xff"), event(strings.Repeat("x", 256))} {
		outcome, err := f.process(e)
		if !errors.Is(err, idem.ErrInvalidEvent) || outcome != idem.Unknown {
			t.Errorf("%q: %s, %v", e, outcome, err)
		}
	}
	if f.seen.claims > 0 {
		t.Error("an invalid event has reached the database")
	}
}

func TestWindow(t *testing.T) {
	f := newFixture(t)
	now := time.Now()
	for _, c := range []struct {
		id   string
		want idem.Outcome
	}{
		{idAt(now.Add(-47 * time.Hour)), idem.Processed},
		{idAt(now.Add(-49 * time.Hour)), idem.TooOld},
		{idAt(now.Add(4 * time.Minute)), idem.Processed},
		{idAt(now.Add(6 * time.Minute)), idem.TooNew},
		{uuid.NewString(), idem.NotV7},
		{"order-1", idem.NotV7},
		{strings.ReplaceAll(newID(t), "-", ""), idem.NotV7},
	} {
		claims := f.seen.claims
		f.want(event(c.id), c.want)
		if c.want.Refused() && f.seen.claims != claims {
			t.Errorf("%s: a refused event has reached the database", c.id)
		}
	}
}

// TestRefusalLeavesTheTransactionAlone: a refusal before the database is asked leaves the
// caller's transaction as it was; the database's own would have aborted it.
func TestRefusalLeavesTheTransactionAlone(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	err := pgx.BeginFunc(ctx, f.pool, func(tx pgx.Tx) error {
		_, err := f.store.TryMarkProcessed(ctx, tx, idAt(time.Now().Add(-49*time.Hour)), group)
		if idem.Refusal(err) != idem.TooOld {
			t.Errorf("%v", err)
		}
		return effect(ctx, tx, []idem.Event{event("after")})
	})
	if err != nil || f.effects("after") != 1 {
		t.Errorf("the transaction did not survive: %v", err)
	}
}

// TestFence: an id whose partition is gone is refused, also when the window in Go would
// admit it, and not processed again.
func TestFence(t *testing.T) {
	f := newFixture(t)
	old := event(idAt(time.Now().Add(-47 * time.Hour)))
	f.want(old, idem.Processed)
	f.cfg.Retention = 12 * time.Hour
	if report := f.maintain(idempgx.Upkeep{}); len(report.Detached) == 0 {
		t.Fatalf("%+v", report)
	}
	f.want(old, idem.TooOld) // the store still remembers 48 hours
	var refused *idem.RefusedError
	if _, err := f.process(old); !errors.As(err, &refused) || !strings.Contains(err.Error(), "no partition") {
		t.Errorf("%v", err)
	}
	fresh := event(newID(t))
	results, err := f.store.ProcessBatch(t.Context(), []idem.Event{old, fresh}, effect)
	if results[0].Outcome != idem.TooOld || results[1].Outcome != idem.Processed || idem.Refusal(err) != idem.TooOld {
		t.Errorf("the batch: %+v, %v", results, err)
	}
	if n := f.effects(old.ID); n != 1 {
		t.Errorf("the work was done %d times", n)
	}
}

func TestTryMarkProcessed(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	id := newID(t)
	mark := func(fail error) (first bool) {
		t.Helper()
		err := pgx.BeginFunc(ctx, f.pool, func(tx pgx.Tx) error {
			var err error
			if first, err = f.store.TryMarkProcessed(ctx, tx, id, group); err != nil {
				return err
			}
			return fail
		})
		if !errors.Is(err, fail) {
			t.Fatal(err)
		}
		return first
	}
	if !mark(errors.New("rolled back")) || !mark(nil) || mark(nil) {
		t.Error("want first, first again after the rollback, then duplicate")
	}
	tx, err := f.pool.Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(ctx) }()
	if _, err := f.store.TryMarkProcessed(ctx, tx, "", group); !errors.Is(err, idem.ErrInvalidEvent) {
		t.Errorf("an empty id: %v", err)
	}
}

func TestWorkFails(t *testing.T) {
	f := newFixture(t)
	id, wrong := newID(t), errors.New("wrong")
	outcome, err := f.store.Process(t.Context(), event(id), func(ctx context.Context, tx pgx.Tx) error {
		return errors.Join(work(ctx, tx), wrong)
	})
	if outcome != idem.Unknown || !errors.Is(err, wrong) || f.effects(id) != 0 {
		t.Errorf("%s, %v, %d effects", outcome, err, f.effects(id))
	}
	f.want(event(id), idem.Processed)
}

// TestWorkHidesAnError: the transaction is aborted and work says it went well.
func TestWorkHidesAnError(t *testing.T) {
	f := newFixture(t)
	id := newID(t)
	outcome, err := f.store.Process(t.Context(), event(id), func(ctx context.Context, tx pgx.Tx) error {
		_, _ = tx.Exec(ctx, "SELECT 1/0")
		return nil
	})
	if outcome != idem.Unknown || !errors.Is(err, pgx.ErrTxCommitRollback) {
		t.Errorf("%s, %v", outcome, err)
	}
	f.want(event(id), idem.Processed)
}

// TestWorkViolatesACheck: 23514 of the caller's own table refuses nothing.
func TestWorkViolatesACheck(t *testing.T) {
	f := newFixture(t)
	f.exec("CREATE TABLE account (balance int CHECK (balance >= 0))")
	outcome, err := f.store.Process(t.Context(), event(newID(t)), func(ctx context.Context, tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "INSERT INTO account VALUES (-1)")
		return err
	})
	if outcome != idem.Unknown || err == nil || idem.Refusal(err) != idem.Unknown {
		t.Errorf("%s, %v", outcome, err)
	}
}

// TestCheckOnTheTable: nor does a CHECK that somebody has put on the dedup table.
func TestCheckOnTheTable(t *testing.T) {
	f := newFixture(t)
	f.exec("ALTER TABLE processed_event ADD CHECK (consumer_group <> 'billing')")
	if outcome, err := f.process(event(newID(t))); outcome != idem.Unknown || err == nil {
		t.Errorf("%s, %v", outcome, err)
	}
}

func TestWorkDoesNotEndTheTransaction(t *testing.T) {
	f := newFixture(t)
	id := newID(t)
	_, err := f.store.Process(t.Context(), event(id), func(ctx context.Context, tx pgx.Tx) error {
		if tx.Commit(ctx) == nil || tx.Rollback(ctx) == nil {
			t.Error("work could end the store's transaction")
		}
		return work(ctx, tx)
	})
	if err != nil || f.effects(id) != 1 {
		t.Error(err)
	}
}

func TestPanic(t *testing.T) {
	f := newFixture(t)
	id := newID(t)
	func() {
		defer func() {
			if recover() != "boom" {
				t.Error("the panic was swallowed")
			}
		}()
		_, _ = f.store.Process(t.Context(), event(id), func(ctx context.Context, tx pgx.Tx) error {
			_ = work(ctx, tx)
			panic("boom")
		})
	}()
	if in := f.pool.Stat().AcquiredConns(); in != 0 {
		t.Errorf("%d connections were kept", in)
	}
	f.want(event(id), idem.Processed)
}

// TestAtOnce delivers each event to several consumers at the same time, at every
// isolation level: each event's work is done once, and every delivery ends well.
func TestAtOnce(t *testing.T) {
	for _, level := range []sql.IsolationLevel{sql.LevelReadCommitted, sql.LevelRepeatableRead, sql.LevelSerializable} {
		t.Run(level.String(), func(t *testing.T) {
			f := newFixture(t, func(c *idem.Config) { c.Isolation = level; c.MaxAttempts = 20 })
			const events, consumers = 20, 4
			var processed, duplicates atomic.Int64
			for range events {
				id := newID(t)
				var wait sync.WaitGroup
				for range consumers {
					wait.Go(func() {
						outcome, err := f.store.Process(t.Context(), event(id), func(ctx context.Context, tx pgx.Tx) error {
							time.Sleep(2 * time.Millisecond) // the others arrive
							return work(ctx, tx)
						})
						switch outcome {
						case idem.Processed:
							processed.Add(1)
						case idem.Duplicate:
							duplicates.Add(1)
						default:
							t.Error(err)
						}
					})
				}
				wait.Wait()
				if n := f.effects(id); n != 1 {
					t.Fatalf("the work was done %d times", n)
				}
			}
			if processed.Load() != events || duplicates.Load() != events*(consumers-1) {
				t.Errorf("%d processed, %d duplicates", processed.Load(), duplicates.Load())
			}
			if again := f.seen.retried("40001"); (again > 0) != (level != sql.LevelReadCommitted) {
				t.Errorf("%d serialization failures were retried", again)
			}
		})
	}
}

// TestLockTimeout: a consumer that holds the event and does not end is waited for only so
// long, several times.
func TestLockTimeout(t *testing.T) {
	f := newFixture(t, func(c *idem.Config) { c.LockTimeout = 50 * time.Millisecond; c.MaxAttempts = 3 })
	ctx := t.Context()
	id := newID(t)
	zombie, err := f.pool.Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if first, err := f.store.TryMarkProcessed(ctx, zombie, id, group); !first || err != nil {
		t.Fatal(first, err)
	}
	outcome, err := f.process(event(id))
	if outcome != idem.Unknown || err == nil || f.seen.retried("55P03") != 2 {
		t.Errorf("%s, %v, %d retries", outcome, err, f.seen.retried("55P03"))
	}
	// A batch with the held event does not hold the others back.
	other := event(newID(t))
	results, err := f.store.ProcessBatch(ctx, []idem.Event{event(id), other}, effect)
	if results[0].Err == nil || results[1].Outcome != idem.Processed || err == nil {
		t.Errorf("%+v", results)
	}
	if err := zombie.Rollback(ctx); err != nil {
		t.Fatal(err)
	}
	f.want(event(id), idem.Processed)
}

func TestCanceled(t *testing.T) {
	f := newFixture(t)
	ctx, cancel := context.WithCancel(t.Context())
	id := newID(t)
	outcome, err := f.store.Process(ctx, event(id), func(ctx context.Context, tx pgx.Tx) error {
		cancel()
		return work(ctx, tx)
	})
	if outcome != idem.Unknown || !errors.Is(err, context.Canceled) {
		t.Errorf("%s, %v", outcome, err)
	}
	f.want(event(id), idem.Processed)
}

// TestLostCommit cuts the connection at the COMMIT: the work is there once, whether the
// server had got it or not.
func TestLostCommit(t *testing.T) {
	queued := func(ctx context.Context, tx pgx.Tx) error {
		e, _ := idem.EventFrom(ctx)
		idempgx.Queue(tx).Queue("INSERT INTO effect VALUES ($1, $2)", e.ID, e.Group)
		return nil
	}
	for _, c := range []struct {
		name string
		cut  pgtest.Cut
		work func(context.Context, pgx.Tx) error
		want idem.Outcome
	}{
		{"before", pgtest.BeforeCommit, work, idem.Processed},
		{"after", pgtest.AfterCommit, work, idem.Duplicate},
		{"before, queued", pgtest.BeforeCommit, queued, idem.Processed},
		{"after, queued", pgtest.AfterCommit, queued, idem.Duplicate},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(t)
			proxy, dsn := pgtest.NewProxy(t, f.dsn)
			store := f.newStore(pgtest.Pool(t, dsn))
			id := newID(t)
			proxy.Plan(c.cut)
			outcome, err := store.Process(t.Context(), event(id), c.work)
			if outcome != c.want || err != nil || f.effects(id) != 1 {
				t.Errorf("%s, %v, %d effects; want %s and one", outcome, err, f.effects(id), c.want)
			}
			if f.seen.retried("connection") != 1 {
				t.Errorf("%v", f.seen.retries)
			}
			ids := []idem.Event{event(newID(t)), event(newID(t))}
			proxy.Plan(c.cut)
			results, err := store.ProcessBatch(t.Context(), ids, effect)
			if err != nil || results[0].Outcome != c.want || f.effects(ids[0].ID) != 1 || f.effects(ids[1].ID) != 1 {
				t.Errorf("the batch: %+v, %v", results, err)
			}
		})
	}
}

// TestTrips counts the round trips of an event once its statements are prepared.
func TestTrips(t *testing.T) {
	f := newFixture(t)
	proxy, dsn := pgtest.NewProxy(t, f.dsn+" pool_max_conns=1")
	store := f.newStore(pgtest.Pool(t, dsn))
	queued := func(ctx context.Context, tx pgx.Tx) error {
		e, _ := idem.EventFrom(ctx)
		idempgx.Queue(tx).Queue("INSERT INTO effect VALUES ($1, $2)", e.ID, e.Group)
		return nil
	}
	for _, c := range []struct {
		work func(context.Context, pgx.Tx) error
		want int
	}{{work, 3}, {queued, 2}} {
		var id string
		for range 2 {
			id = newID(t)
			proxy.Trips()
			if _, err := store.Process(t.Context(), event(id), c.work); err != nil {
				t.Fatal(err)
			}
		}
		if n := proxy.Trips(); n != c.want || f.effects(id) != 1 {
			t.Errorf("%d round trips, %d effects, want %d and 1", n, f.effects(id), c.want)
		}
	}
}

// TestQueuedStatementFails: then nothing is committed, and a failure of timing is retried.
func TestQueuedStatementFails(t *testing.T) {
	f := newFixture(t)
	id := newID(t)
	attempts := 0
	queue := func(bad string) func(context.Context, pgx.Tx) error {
		return func(ctx context.Context, tx pgx.Tx) error {
			attempts++
			q := idempgx.Queue(tx)
			q.Queue("INSERT INTO effect VALUES ($1, $2)", id, group)
			if attempts == 1 {
				q.Queue(bad)
			}
			return nil
		}
	}
	connections := f.pool.Stat().NewConnsCount()
	outcome, err := f.store.Process(t.Context(), event(id), queue("SELECT 1/0"))
	if outcome != idem.Unknown || err == nil || f.effects(id) != 0 {
		t.Errorf("%s, %v, %d effects", outcome, err, f.effects(id))
	}
	attempts = 0
	outcome, err = f.store.Process(t.Context(), event(id), queue("DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '40001'; END $$"))
	if outcome != idem.Processed || err != nil || f.effects(id) != 1 || attempts != 2 {
		t.Errorf("%s, %v, %d effects, %d attempts", outcome, err, f.effects(id), attempts)
	}
	if stat := f.pool.Stat(); stat.AcquiredConns() != 0 || stat.NewConnsCount() != connections {
		t.Errorf("%d connections were kept, %d had to be made anew", stat.AcquiredConns(), stat.NewConnsCount()-connections)
	}
}

func TestTransactionAfterItsEnd(t *testing.T) {
	f := newFixture(t)
	for _, queued := range []bool{false, true} {
		var kept pgx.Tx
		_, err := f.store.Process(t.Context(), event(newID(t)), func(ctx context.Context, tx pgx.Tx) error {
			kept = tx
			if queued {
				idempgx.Queue(tx).Queue("SELECT 1")
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := kept.Exec(t.Context(), "SELECT 1"); !errors.Is(err, pgx.ErrTxClosed) {
			t.Errorf("queued %v: a statement after the end: %v", queued, err)
		}
	}
}

// TestWrongKey: the named conflict target makes a table with another key fail loudly.
func TestWrongKey(t *testing.T) {
	f := newFixture(t)
	f.exec("DROP TABLE processed_event")
	f.exec("CREATE TABLE processed_event (event_id uuid, consumer_group text, processed_at timestamptz DEFAULT now(), PRIMARY KEY (event_id, processed_at))")
	if outcome, err := f.process(event(newID(t))); outcome != idem.Unknown || !strings.Contains(fmt.Sprint(err), "42P10") {
		t.Errorf("%s, %v", outcome, err)
	}
	if err := f.maintainer(idempgx.Upkeep{}).Check(t.Context(), idempgx.Topic{}); err == nil || !strings.Contains(err.Error(), "primary key") {
		t.Errorf("Check: %v", err)
	}
}

// TestKeyThatDiffersPerDelivery is the negative control: the widely recommended table,
// partitioned by processed_at with a bare ON CONFLICT, accepts the redelivery.
func TestKeyThatDiffersPerDelivery(t *testing.T) {
	f := newFixture(t)
	f.exec("CREATE TABLE seen (event_id uuid, processed_at timestamptz DEFAULT clock_timestamp(), PRIMARY KEY (event_id, processed_at)) PARTITION BY RANGE (processed_at)")
	f.exec("CREATE TABLE seen_p PARTITION OF seen FOR VALUES FROM (MINVALUE) TO (MAXVALUE)")
	id := newID(t)
	for range 2 {
		f.exec("INSERT INTO seen (event_id) VALUES ($1) ON CONFLICT DO NOTHING", id)
	}
	if n := f.count("SELECT count(*) FROM seen"); n != 2 {
		t.Errorf("%d rows: the control no longer shows the fault", n)
	}
}
