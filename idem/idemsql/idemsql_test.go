package idemsql_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/eventid"
	"github.com/idemlint/idemlint/idem/idemsql"
	"github.com/idemlint/idemlint/idem/internal/mysqltest"
	"github.com/idemlint/idemlint/idem/internal/pgtest"
	"github.com/idemlint/idemlint/idem/schema"
)

func TestMain(m *testing.M) { pgtest.Main(m, mysqltest.Stop) }

const group = "billing"

// backend is a database under test.
type backend struct {
	name    string
	dialect schema.Dialect
	schema  idem.Schema
	open    func(t testing.TB) *sql.DB
}

var backends = []backend{
	{"postgres partitioned", schema.Postgres, idem.Partitioned, openPostgres},
	{"postgres plain", schema.Postgres, idem.Plain, openPostgres},
	{"mysql", schema.MySQL, idem.Plain, openMySQL(false)},
	// CLIENT_FOUND_ROWS changes the number of affected rows that the server reports.
	{"mysql found rows", schema.MySQL, idem.Plain, openMySQL(true)},
	{"sqlite", schema.SQLite, idem.Plain, openSQLite},
}

func openPostgres(t testing.TB) *sql.DB {
	db, err := sql.Open("pgx", pgtest.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func openMySQL(foundRows bool) func(t testing.TB) *sql.DB {
	return func(t testing.TB) *sql.DB {
		cfg := mysqltest.Database(t)
		cfg.ClientFoundRows = foundRows
		cfg.Params = map[string]string{"innodb_lock_wait_timeout": "10"}
		return mysqltest.Open(t, cfg)
	}
}

func openSQLite(t testing.TB) *sql.DB {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(t.TempDir(), "db")+"?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

type fixture struct {
	*testing.T
	backend
	db    *sql.DB
	cfg   idem.Config
	store *idem.Store[*sql.Tx]
}

func newFixture(t *testing.T, b backend) *fixture {
	t.Helper()
	f := &fixture{T: t, backend: b, db: b.open(t), cfg: idem.Config{Schema: b.schema, Retention: 48 * time.Hour}}
	for range 2 { // the second time it finds everything there
		if version, err := idemsql.Migrate(t.Context(), f.db, b.dialect, f.cfg); version != 1 || err != nil {
			t.Fatal(version, err)
		}
	}
	if b.schema == idem.Partitioned {
		f.exec("CREATE TABLE p PARTITION OF processed_event FOR VALUES FROM (MINVALUE) TO (MAXVALUE)")
	}
	text := "varchar(255)"
	if b.dialect == schema.MySQL {
		text += " CHARACTER SET utf8mb4"
	}
	f.exec("CREATE TABLE effect (event_id " + text + ")")
	var err error
	if f.store, err = idem.New(idemsql.New(f.db, b.dialect), f.cfg); err != nil {
		t.Fatal(err)
	}
	return f
}

func (f *fixture) exec(query string) {
	f.Helper()
	if _, err := f.db.Exec(query); err != nil {
		f.Fatalf("%s: %v", query, err)
	}
}

func (f *fixture) count(query string) (n int) {
	f.Helper()
	if err := f.db.QueryRow(query).Scan(&n); err != nil {
		f.Fatalf("%s: %v", query, err)
	}
	return n
}

// done returns how often the work of an event was done.
func (f *fixture) done(id string) int {
	f.Helper()
	return f.count("SELECT count(*) FROM effect WHERE event_id = '" + id + "'")
}

func (f *fixture) want(e idem.Event, want idem.Outcome) {
	f.Helper()
	got, err := f.store.Process(context.Background(), e, func(ctx context.Context, tx *sql.Tx) error {
		return work(ctx, tx, []idem.Event{e})
	})
	if got != want || err != nil {
		f.Errorf("%q: %s, %v; want %s", e, got, err, want)
	}
}

func work(ctx context.Context, tx *sql.Tx, events []idem.Event) error {
	for _, e := range events {
		if _, err := tx.ExecContext(ctx, "INSERT INTO effect VALUES ('"+strings.ReplaceAll(e.ID, "'", "''")+"')"); err != nil {
			return err
		}
	}
	return nil
}

func newEvent(t testing.TB) idem.Event {
	t.Helper()
	id, err := eventid.New()
	if err != nil {
		t.Fatal(err)
	}
	return idem.Event{ID: id.String(), Group: group}
}

func onEach(t *testing.T, test func(f *fixture)) {
	for _, b := range backends {
		t.Run(b.name, func(t *testing.T) { test(newFixture(t, b)) })
	}
}

func TestRedelivery(t *testing.T) {
	onEach(t, func(f *fixture) {
		e := newEvent(f.T)
		f.want(e, idem.Processed)
		f.want(e, idem.Duplicate)
		f.want(idem.Event{ID: e.ID, Group: "shipping"}, idem.Processed)
		if n := f.done(e.ID); n != 2 {
			f.Errorf("the work was done %d times, want once for each group", n)
		}
		wrong := errors.New("wrong")
		e = newEvent(f.T)
		outcome, err := f.store.Process(f.Context(), e, func(ctx context.Context, tx *sql.Tx) error {
			return errors.Join(work(ctx, tx, []idem.Event{e}), wrong)
		})
		if outcome != idem.Unknown || !errors.Is(err, wrong) || f.done(e.ID) != 0 {
			f.Errorf("%s, %v", outcome, err)
		}
		f.want(e, idem.Processed)
	})
}

// TestTexts: ids that differ in case, in trailing spaces, in accents are different events.
func TestTexts(t *testing.T) {
	onEach(t, func(f *fixture) {
		if f.schema == idem.Partitioned {
			return
		}
		var batch []idem.Event
		for _, id := range []string{"order-1", "ORDER-1", "order-1 ", "ordér-1", `{"a",b\}`, "null", "1", "01", "<&\u2028", strings.Repeat("x", 255)} {
			f.want(idem.Event{ID: id, Group: group}, idem.Processed)
			f.want(idem.Event{ID: id, Group: group}, idem.Duplicate)
			batch = append(batch, idem.Event{ID: id, Group: "o'ther"})
		}
		for _, want := range []idem.Outcome{idem.Processed, idem.Duplicate} {
			results, err := f.store.ProcessBatch(f.Context(), batch, work)
			if err != nil {
				f.Fatal(err)
			}
			for _, r := range results {
				if r.Outcome != want {
					f.Errorf("%q in a batch: %s, want %s", r.Event, r.Outcome, want)
				}
			}
		}
	})
}

func TestBatch(t *testing.T) {
	onEach(t, func(f *fixture) {
		known, a, b, bad := newEvent(f.T), newEvent(f.T), newEvent(f.T), newEvent(f.T)
		f.want(known, idem.Processed)
		poison := errors.New("poison")
		results, err := f.store.ProcessBatch(f.Context(), []idem.Event{b, known, bad, a, b}, func(ctx context.Context, tx *sql.Tx, fresh []idem.Event) error {
			if slices.Contains(fresh, bad) {
				return poison
			}
			return work(ctx, tx, fresh)
		})
		want := []idem.Outcome{idem.Processed, idem.Duplicate, idem.Unknown, idem.Processed, idem.Duplicate}
		for i, r := range results {
			if r.Outcome != want[i] {
				f.Errorf("event %d: %s, %v; want %s", i, r.Outcome, r.Err, want[i])
			}
		}
		if !errors.Is(err, poison) || f.done(a.ID) != 1 || f.done(b.ID) != 1 {
			f.Errorf("%v", err)
		}
		var many []idem.Event
		for range 300 {
			many = append(many, newEvent(f.T))
		}
		if _, err := f.store.ProcessBatch(f.Context(), many, work); err != nil {
			f.Fatal(err)
		}
		for _, e := range many {
			if f.done(e.ID) != 1 {
				f.Fatalf("%s was done %d times", e, f.done(e.ID))
			}
		}
	})
}

// TestAtOnce gives the same events to several consumers, one by one and in overlapping
// batches.
func TestAtOnce(t *testing.T) {
	onEach(t, func(f *fixture) {
		const events, consumers = 10, 4
		f.cfg.MaxAttempts = 20
		store, err := idem.New(idemsql.New(f.db, f.dialect), f.cfg)
		if err != nil {
			f.Fatal(err)
		}
		var batch []idem.Event
		for range events {
			batch = append(batch, newEvent(f.T))
		}
		var wait sync.WaitGroup
		for c := range consumers {
			wait.Go(func() {
				poll := slices.Clone(batch)
				if c%2 == 1 {
					slices.Reverse(poll)
					if _, err := store.ProcessBatch(f.Context(), poll, work); err != nil {
						f.Error(err)
					}
					return
				}
				for _, e := range poll {
					_, err := store.Process(f.Context(), e, func(ctx context.Context, tx *sql.Tx) error {
						return work(ctx, tx, []idem.Event{e})
					})
					if err != nil {
						f.Error(err)
					}
				}
			})
		}
		wait.Wait()
		for _, e := range batch {
			if n := f.done(e.ID); n != 1 {
				f.Errorf("%s was done %d times", e, n)
			}
		}
	})
}

// otherTx stands for the transaction of a library such as sqlx or bun, which embeds
// *sql.Tx, or of gorm, which hides it.
type otherTx struct{ tx *sql.Tx }

func (o otherTx) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return o.tx.ExecContext(ctx, query, args...)
}

func (o otherTx) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return o.tx.QueryContext(ctx, query, args...)
}

func TestTransactionOfAnotherLibrary(t *testing.T) {
	onEach(t, func(f *fixture) {
		store, err := idem.New(idemsql.NewQuerier(f.db, f.dialect), f.cfg)
		if err != nil {
			f.Fatal(err)
		}
		e := newEvent(f.T)
		mark := func(end func(*sql.Tx) error) bool {
			tx, err := f.db.Begin()
			if err != nil {
				f.Fatal(err)
			}
			first, err := store.TryMarkProcessed(f.Context(), otherTx{tx}, e.ID, e.Group)
			if err := errors.Join(err, end(tx)); err != nil {
				f.Error(err)
			}
			return first
		}
		if !mark((*sql.Tx).Rollback) || !mark((*sql.Tx).Commit) || mark((*sql.Tx).Commit) {
			f.Error("want first, first again after the rollback, then duplicate")
		}
		outcome, err := store.Process(f.Context(), newEvent(f.T), func(ctx context.Context, tx idemsql.Querier) error {
			_, err := tx.ExecContext(ctx, "INSERT INTO effect VALUES ('x')")
			return err
		})
		if outcome != idem.Processed || err != nil || f.done("x") != 1 {
			f.Error(outcome, err)
		}
	})
}

func TestPrune(t *testing.T) {
	old := map[schema.Dialect]string{
		schema.Postgres: "now() - interval '49 hours'",
		schema.MySQL:    "CURRENT_TIMESTAMP(3) - INTERVAL 49 HOUR",
		schema.SQLite:   "strftime('%s', 'now') - 49 * 3600",
	}
	onEach(t, func(f *fixture) {
		if f.schema == idem.Partitioned {
			if _, err := idemsql.Prune(f.Context(), f.db, f.dialect, f.cfg); err == nil {
				f.Error("a partitioned table was pruned")
			}
			return
		}
		kept, gone := newEvent(f.T), newEvent(f.T)
		f.want(kept, idem.Processed)
		f.want(gone, idem.Processed)
		f.exec(fmt.Sprintf("UPDATE processed_event SET processed_at = %s WHERE event_id = '%s'", old[f.dialect], gone.ID))
		if n, err := idemsql.Prune(f.Context(), f.db, f.dialect, f.cfg); n != 1 || err != nil {
			f.Errorf("%d rows, %v", n, err)
		}
		f.want(kept, idem.Duplicate)
		f.want(gone, idem.Processed) // a plain table has no fence
	})
}

func TestPostgresFence(t *testing.T) {
	f := newFixture(t, backends[0])
	f.exec("DROP TABLE p")
	e := newEvent(t)
	outcome, err := f.store.Process(t.Context(), e, func(context.Context, *sql.Tx) error { return nil })
	if outcome != idem.Unknown || !errors.Is(err, idem.ErrNoPartition) {
		t.Errorf("%s, %v", outcome, err)
	}
}

// TestPostgresFaults: the SQLSTATE and the broken connection are recognized through database/sql.
func TestPostgresFaults(t *testing.T) {
	f := newFixture(t, backends[1])
	var codes []string
	f.cfg.Observer.Retry = func(_ context.Context, _, code string) { codes = append(codes, code) }
	f.cfg.LockTimeout = 30 * time.Millisecond
	f.cfg.MaxAttempts = 2
	proxy, dsn := pgtest.NewProxy(t, f.dsn())
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	store, err := idem.New(idemsql.New(db, schema.Postgres), f.cfg)
	if err != nil {
		t.Fatal(err)
	}
	process := func(e idem.Event) (idem.Outcome, error) {
		return store.Process(t.Context(), e, func(ctx context.Context, tx *sql.Tx) error { return work(ctx, tx, []idem.Event{e}) })
	}
	for cut, want := range map[pgtest.Cut]idem.Outcome{pgtest.BeforeCommit: idem.Processed, pgtest.AfterCommit: idem.Duplicate} {
		e := newEvent(t)
		proxy.Plan(cut)
		if outcome, err := process(e); outcome != want || err != nil || f.done(e.ID) != 1 {
			t.Errorf("%s, %v, %d effects; want %s", outcome, err, f.done(e.ID), want)
		}
	}
	held := newEvent(t)
	zombie, err := f.db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = zombie.Rollback() }()
	if _, err := f.store.TryMarkProcessed(t.Context(), zombie, held.ID, held.Group); err != nil {
		t.Fatal(err)
	}
	if outcome, err := process(held); outcome != idem.Unknown || err == nil {
		t.Errorf("%s, %v", outcome, err)
	}
	if want := []string{"connection", "connection", "55P03"}; !slices.Equal(codes, want) {
		t.Errorf("retried because of %v, want %v", codes, want)
	}
	// An aborted transaction that work hides is no lost connection.
	if outcome, err := store.Process(t.Context(), newEvent(t), func(ctx context.Context, tx *sql.Tx) error {
		_, _ = tx.ExecContext(ctx, "SELECT 1/0")
		return nil
	}); outcome != idem.Unknown || err == nil || len(codes) != 3 {
		t.Errorf("%s, %v, %v", outcome, err, codes)
	}
}

func (f *fixture) dsn() string {
	f.Helper()
	var host, name string
	if err := f.db.QueryRow("SELECT current_setting('unix_socket_directories'), current_database()").Scan(&host, &name); err != nil {
		f.Fatal(err)
	}
	return fmt.Sprintf("host=%s user=postgres dbname=%s", host, name)
}

func TestMySQLFaults(t *testing.T) {
	f := newFixture(t, backends[2])
	f.exec("SET GLOBAL innodb_lock_wait_timeout = 10")
	driver := idemsql.New(f.db, schema.MySQL)
	for code, want := range map[uint16]idem.FaultKind{1213: idem.Transient, 1205: idem.Transient, 1062: idem.Permanent} {
		fault := driver.Fault(fmt.Errorf("wrapped: %w", &mysql.MySQLError{Number: code}))
		if fault.Kind != want || fault.Code != fmt.Sprint(code) {
			t.Errorf("%d: %+v", code, fault)
		}
	}
	if fault := driver.Fault(mysql.ErrInvalidConn); fault.Kind != idem.Lost {
		t.Errorf("an invalid connection: %+v", fault)
	}
}

// TestSQLiteBusy: a writer that holds the database is waited for by a retry.
func TestSQLiteBusy(t *testing.T) {
	f := newFixture(t, backend{"sqlite", schema.SQLite, idem.Plain, func(t testing.TB) *sql.DB {
		db, err := sql.Open("sqlite", "file:"+filepath.Join(t.TempDir(), "db"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		return db
	}})
	writer, err := f.db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := writer.Exec("INSERT INTO effect VALUES ('w')"); err != nil {
		t.Fatal(err)
	}
	f.cfg.Observer.Retry = func(context.Context, string, string) { _ = writer.Rollback() }
	if f.store, err = idem.New(idemsql.New(f.db, schema.SQLite), f.cfg); err != nil {
		t.Fatal(err)
	}
	f.want(newEvent(t), idem.Processed)
	if f.done("w") != 0 {
		t.Error("the store did not meet the writer")
	}
}

func TestUnsupported(t *testing.T) {
	for name, c := range map[string]struct {
		dialect schema.Dialect
		cfg     idem.Config
	}{
		"dialect":      {"oracle", idem.Config{Schema: idem.Plain}},
		"partitions":   {schema.MySQL, idem.Config{Retention: time.Hour}},
		"lock timeout": {schema.SQLite, idem.Config{Schema: idem.Plain, LockTimeout: time.Second}},
		"isolation":    {schema.SQLite, idem.Config{Schema: idem.Plain, Isolation: sql.LevelSerializable}},
	} {
		if _, err := idem.New(idemsql.New(nil, c.dialect), c.cfg); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := idemsql.Migrate(t.Context(), nil, schema.MySQL, idem.Config{Retention: time.Hour}); err == nil || !strings.Contains(err.Error(), "idem.Plain") {
		t.Errorf("a partitioned table of MySQL: %v", err)
	}
}
