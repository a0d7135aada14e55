package idempgx_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/idempgx"
)

// clock is a Config.Now that tests move.
type clock struct{ now time.Time }

func (c *clock) time() time.Time { return c.now }

func withClock(c *clock) func(*idem.Config) {
	return func(cfg *idem.Config) { cfg.Now = c.time }
}

var noon = time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)

func (f *fixture) tables(pattern string) []string {
	f.Helper()
	rows, err := f.pool.Query(context.Background(), "SELECT relname::text FROM pg_class WHERE relkind = 'r' AND relname ~ $1 ORDER BY 1", pattern)
	if err != nil {
		f.Fatal(err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		f.Fatal(err)
	}
	return names
}

// TestLifeOfAPartition follows a table over some days.
func TestLifeOfAPartition(t *testing.T) {
	c := &clock{noon}
	f := newFixture(t, withClock(c))
	if got, want := f.tables("_p2026"), []string{"processed_event_p2026030800", "processed_event_p2026030900", "processed_event_p2026031000"}; !slices.Equal(got, want) {
		t.Fatalf("at first there are %v, want %v", got, want)
	}
	upkeep := idempgx.Upkeep{Ahead: 36 * time.Hour, Grace: 24 * time.Hour}
	report := f.maintain(upkeep)
	if want := []string{"processed_event_p2026031100", "processed_event_p2026031200"}; !slices.Equal(report.Made, want) || report.Left != 60*time.Hour {
		t.Errorf("%+v, want %v made, 60h left", report, want)
	}
	if report = f.maintain(upkeep); len(report.Made)+len(report.Detached)+len(report.Dropped) > 0 || report.Left != 60*time.Hour {
		t.Errorf("a second upkeep has done something: %+v", report)
	}
	old := event(idAt(noon.Add(-40 * time.Hour)))
	f.want(old, idem.Processed)

	c.now = noon.Add(35 * time.Hour) // 23:00 on the 11th: the 8th is out of the window, the 9th is not
	report = f.maintain(upkeep)
	if want := []string{"processed_event_p2026030800"}; !slices.Equal(report.Detached, want) {
		t.Errorf("detached %v, want %v", report.Detached, want)
	}
	if n := f.count("SELECT count(*) FROM processed_event_p2026030800"); n != 1 {
		t.Errorf("the detached table has %d rows", n)
	}
	c.now = c.now.Add(23 * time.Hour)
	if report = f.maintain(upkeep); len(report.Dropped) > 0 {
		t.Errorf("dropped within the grace period: %v", report.Dropped)
	}
	c.now = c.now.Add(2 * time.Hour)
	report = f.maintain(upkeep)
	if want := []string{"processed_event_p2026030800"}; !slices.Equal(report.Dropped, want) {
		t.Errorf("dropped %v, want %v", report.Dropped, want)
	}
	// The clock that went back, or a longer retention, does not bring it back.
	c.now = noon
	f.cfg.Retention = 72 * time.Hour
	f.maintain(upkeep)
	f.store = f.newStore(f.pool)
	f.want(old, idem.TooOld)
	if n := f.effects(old.ID); n != 1 {
		t.Errorf("the work was done %d times", n)
	}
}

// TestLongOutage: after weeks without upkeep it goes on from now, and the gap stays shut.
func TestLongOutage(t *testing.T) {
	c := &clock{noon}
	f := newFixture(t, withClock(c))
	c.now = noon.Add(30 * 24 * time.Hour)
	late := event(idAt(c.now))
	if outcome, err := f.store.Process(t.Context(), late, func(context.Context, pgx.Tx) error { return nil }); outcome != idem.Unknown || !errors.Is(err, idem.ErrNoPartition) {
		t.Errorf("%s, %v: want an error that is no refusal", outcome, err)
	}
	err := f.maintainer(idempgx.Upkeep{}).Check(t.Context(), idempgx.Topic{})
	if err == nil || !strings.Contains(err.Error(), "no partition for events from now") {
		t.Errorf("Check: %v", err)
	}
	report := f.maintain(idempgx.Upkeep{Ahead: time.Hour})
	if want := []string{"processed_event_p2026040700", "processed_event_p2026040800", "processed_event_p2026040900"}; !slices.Equal(report.Made, want) || len(report.Detached) != 3 {
		t.Errorf("%+v, want %v made, 3 detached", report, want)
	}
	f.want(late, idem.Processed)
}

// TestEveryPartitionDetached: then the past stays shut, though there is no partition.
func TestEveryPartitionDetached(t *testing.T) {
	c := &clock{noon}
	f := newFixture(t, withClock(c))
	for _, name := range f.tables("_p2026") {
		f.exec("COMMENT ON TABLE " + name + " IS 'idem: detached from processed_event at 2026-03-10T12:00:00Z'")
		f.exec("ALTER TABLE processed_event DETACH PARTITION " + name)
	}
	f.exec("ALTER TABLE processed_event_p2026031000 RENAME TO other")
	if report := f.maintain(idempgx.Upkeep{Ahead: time.Hour}); !slices.Equal(report.Made, []string{"processed_event_p2026031000"}) {
		t.Errorf("%+v", report)
	}
}

func TestOneUpkeepAtATime(t *testing.T) {
	f := newFixture(t)
	conn, err := f.pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	if _, err := conn.Exec(t.Context(), "SELECT pg_advisory_lock(hashtextextended('idem upkeep processed_event', 0))"); err != nil {
		t.Fatal(err)
	}
	var told idempgx.Report
	if report := f.maintain(idempgx.Upkeep{Ahead: 500 * time.Hour, OnReport: onReport(&told)}); !report.Busy || len(report.Made) > 0 || !told.Busy {
		t.Errorf("%+v, told %+v", report, told)
	}
	if _, err := conn.Exec(t.Context(), "SELECT pg_advisory_unlock_all()"); err != nil {
		t.Fatal(err)
	}
	if report := f.maintain(idempgx.Upkeep{Ahead: 500 * time.Hour, OnReport: onReport(&told)}); report.Busy || len(report.Made) == 0 || !reflect.DeepEqual(told, report) {
		t.Errorf("%+v, told %+v", report, told)
	}
}

// TestReportOfAFailure: an upkeep that can make no partition tells how long those that are
// there will last.
func TestReportOfAFailure(t *testing.T) {
	f := newFixture(t, withClock(&clock{noon}))
	f.exec("CREATE TABLE processed_event_p2026031100 ()") // in the way
	var told idempgx.Report
	var failed error
	upkeep := idempgx.Upkeep{OnReport: func(_ context.Context, r idempgx.Report, err error) { told, failed = r, err }}
	_, err := f.maintainer(upkeep).Maintain(t.Context())
	if err == nil || !errors.Is(failed, err) || told.Left != 12*time.Hour {
		t.Errorf("%v, told %+v, %v", err, told, failed)
	}
}

func onReport(told *idempgx.Report) func(context.Context, idempgx.Report, error) {
	return func(_ context.Context, r idempgx.Report, _ error) { *told = r }
}

// TestPendingDetach: an old transaction makes the detachment run into its lock timeout;
// the partition takes no events any more, and the next upkeep finishes it.
func TestPendingDetach(t *testing.T) {
	c := &clock{noon}
	f := newFixture(t, withClock(c))
	old := f.hold(event(newIDNow(c)))
	c.now = noon.Add(15 * 24 * time.Hour)
	upkeep := idempgx.Upkeep{LockTimeout: 50 * time.Millisecond}
	report := f.maintain(upkeep)
	if report.Pending == "" || len(report.Detached) > 0 || len(report.Made) == 0 {
		t.Errorf("with an old transaction: %+v", report)
	}
	pending := report.Pending
	if report = f.maintain(upkeep); !slices.Equal(report.Detached, []string{pending}) || report.Pending == "" {
		t.Errorf("the next upkeep: %+v; want %s finished, and the next one pending", report, pending)
	}
	if err := old.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if report = f.maintain(idempgx.Upkeep{}); report.Pending != "" || len(report.Detached) != 2 {
		t.Errorf("afterwards: %+v", report)
	}
}

func newIDNow(c *clock) string { return idAt(c.now) }

// hold claims an event in a transaction that stays open.
func (f *fixture) hold(e idem.Event) pgx.Tx {
	f.Helper()
	tx, err := f.pool.Begin(context.Background())
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = tx.Rollback(context.Background()) })
	if first, err := f.store.TryMarkProcessed(context.Background(), tx, e.ID, e.Group); !first || err != nil {
		f.Fatal(first, err)
	}
	return tx
}

func TestDefaultPartitionIsRefused(t *testing.T) {
	f := newFixture(t)
	f.exec("CREATE TABLE rest PARTITION OF processed_event DEFAULT")
	_, err := f.maintainer(idempgx.Upkeep{}).Maintain(t.Context())
	if err == nil || !strings.Contains(err.Error(), "DEFAULT") {
		t.Errorf("Maintain: %v", err)
	}
	if err := f.maintainer(idempgx.Upkeep{}).Check(t.Context(), idempgx.Topic{}); err == nil || !strings.Contains(err.Error(), "DEFAULT") {
		t.Errorf("Check: %v", err)
	}
}

func TestPlainUpkeep(t *testing.T) {
	f := newFixture(t, func(c *idem.Config) { c.Schema = idem.Plain })
	f.exec("INSERT INTO processed_event SELECT i, 'billing', now() - i * interval '1 hour' FROM generate_series(1, 100) i")
	if report := f.maintain(idempgx.Upkeep{Chunk: 7}); report.Deleted != 53 {
		t.Errorf("%+v; want the 53 rows deleted that are 48 hours old", report)
	}
	if n := f.count("SELECT count(*) FROM processed_event"); n != 47 {
		t.Errorf("%d rows are left", n)
	}
	f.cfg.Retention = 0
	if report := f.maintain(idempgx.Upkeep{}); report.Deleted != 0 {
		t.Errorf("without a retention: %+v", report)
	}
}

func TestCheckRetention(t *testing.T) {
	f := newFixture(t) // remembers 48 hours
	for _, c := range []struct {
		topic idempgx.Topic
		want  string
	}{
		{idempgx.Topic{Retention: 47 * time.Hour}, ""},
		{idempgx.Topic{Retention: 48 * time.Hour}, "at least 48h5m0s"},
		{idempgx.Topic{Retention: 46 * time.Hour, Delay: 4 * time.Hour}, "at least 50h5m0s"},
		{idempgx.Topic{Lag: 60 * time.Hour}, "at least 60h5m0s"},
		{idempgx.Topic{Retention: -1}, "for ever"},
	} {
		err := f.maintainer(idempgx.Upkeep{}).Check(t.Context(), c.topic)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.topic, err, c.want)
		}
	}
	f.exec("DROP TABLE processed_event")
	if err := f.maintainer(idempgx.Upkeep{}).Check(t.Context(), idempgx.Topic{}); err == nil || !strings.Contains(err.Error(), "Migrate makes it") {
		t.Errorf("without the table: %v", err)
	}
}

func TestRun(t *testing.T) {
	f := newFixture(t)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- f.maintainer(idempgx.Upkeep{Ahead: 240 * time.Hour}).Run(ctx, time.Hour) }()
	for deadline := time.Now().Add(20 * time.Second); len(f.tables("^processed_event_p")) < 12; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("Run has not made the partitions")
		}
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestMigrateAtOnce(t *testing.T) {
	f := newFixture(t)
	cfg := f.cfg
	cfg.Table = "public.other"
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			if version, err := idempgx.Migrate(t.Context(), f.pool, cfg); version != 1 || err != nil {
				t.Error(version, err)
			}
		})
	}
	wait.Wait()
	if n := f.count("SELECT count(*) FROM public.other_schema"); n != 1 {
		t.Errorf("%d versions", n)
	}
	cfg.Table = `x"; DROP TABLE effect; --`
	if _, err := idempgx.Migrate(t.Context(), f.pool, cfg); err == nil {
		t.Error("any text was taken for a table's name")
	}
	cfg.Table = "public.other"
	f.cfg = cfg
	f.maintain(idempgx.Upkeep{})
	f.store = f.newStore(f.pool)
	f.want(event(newID(t)), idem.Processed)
}

// TestUpkeepUnderLoad inserts while a transaction stays open for two seconds, and
// measures the longest an insert takes: the upkeep makes and detaches partitions without
// a stall, and the obvious statement, as a control, stalls until the transaction ends.
func TestUpkeepUnderLoad(t *testing.T) {
	const open = 2 * time.Second
	stall := func(upkeep func(*fixture)) time.Duration {
		f := newFixture(t)
		f.cfg.Retention = 12 * time.Hour // a partition is too old now
		old := f.hold(event(newID(t)))
		ended, done := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(ended)
			time.Sleep(open)
			_ = old.Rollback(context.Background())
		}()
		go func() {
			defer close(done)
			time.Sleep(100 * time.Millisecond)
			upkeep(f)
		}()
		var longest time.Duration
		for over := false; !over; {
			select {
			case <-ended:
				over = true
			default:
			}
			began := time.Now()
			if _, err := f.store.Process(t.Context(), event(newID(t)), work); err != nil {
				t.Error(err)
			}
			longest = max(longest, time.Since(began))
		}
		<-done
		return longest
	}
	maintained := stall(func(f *fixture) {
		report, err := f.maintainer(idempgx.Upkeep{LockTimeout: 20 * time.Second}).Maintain(context.Background())
		if err != nil || len(report.Made) == 0 || len(report.Detached) == 0 {
			t.Errorf("%+v, %v", report, err)
		}
	})
	naive := stall(func(f *fixture) {
		f.exec(fmt.Sprintf("CREATE TABLE next PARTITION OF processed_event FOR VALUES FROM ('%s') TO (MAXVALUE)", idAt(time.Now().Add(240*time.Hour))))
	})
	t.Logf("longest insert: %s during the upkeep, %s during CREATE TABLE … PARTITION OF", maintained, naive)
	if maintained > open/2 {
		t.Errorf("an insert waited %s for the upkeep", maintained)
	}
	if naive < open/2 {
		t.Errorf("the control stalled for %s only: the test does not show the fault any more", naive)
	}
}
