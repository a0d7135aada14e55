package outbox_test

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"strings"
	"sync"
	"testing"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/internal/pgtest"
	"github.com/idemlint/idemlint/idem/money"
	"github.com/idemlint/idemlint/idem/outbox"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

var charge = outbox.Call{Step: "charge", Kind: "charge", Payload: []byte("9 EUR")}

// transaction is what the two ways to have one share in these tests.
type transaction struct {
	tx               outbox.Tx
	commit, rollback func() error
}

func beginSQL(t *testing.T, db *sql.DB, _ string) transaction {
	t.Helper()
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	return transaction{outbox.SQL(tx), tx.Commit, tx.Rollback}
}

func beginPgx(t *testing.T, _ *sql.DB, dsn string) transaction {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(ctx) })
	tx, err := conn.Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return transaction{outbox.Pgx(tx), func() error { return tx.Commit(ctx) }, func() error { return tx.Rollback(ctx) }}
}

func TestEnqueue(t *testing.T) {
	for name, begin := range map[string]func(*testing.T, *sql.DB, string) transaction{"database/sql": beginSQL, "pgx": beginPgx} {
		t.Run(name, func(t *testing.T) {
			db, dsn := migrated(t)
			const id = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"
			ctx := of(id)

			tx := begin(t, db, dsn)
			if first, err := outbox.Enqueue(ctx, tx.tx, charge); err != nil || !first {
				t.Fatalf("Enqueue = %t, %v", first, err)
			}
			if err := tx.rollback(); err != nil {
				t.Fatal(err)
			}
			wantRows(t, db, "")

			tx = begin(t, db, dsn)
			for i, want := range []bool{true, false} {
				if first, err := outbox.Enqueue(ctx, tx.tx, charge); err != nil || first != want {
					t.Fatalf("Enqueue no. %d = %t, %v", i, first, err)
				}
			}
			// What would be another call under the same key.
			for _, other := range []outbox.Call{
				{Step: "charge", Kind: "charge", Payload: []byte("10 EUR")},
				{Step: "charge", Kind: "refund", Payload: []byte("9 EUR")},
				{Step: "charge", Kind: "charge"},
			} {
				first, err := outbox.Enqueue(ctx, tx.tx, other)
				var refused *money.RefusedError
				if first || !errors.Is(err, money.ErrStepReused) || !errors.As(err, &refused) || refused.Event.ID != id {
					t.Fatalf("Enqueue of %+v = %t, %v; want ErrStepReused", other, first, err)
				}
			}
			// The transaction is still good, and other steps, groups and events are others.
			for _, tt := range []struct {
				event idem.Event
				call  outbox.Call
			}{
				{idem.Event{ID: id, Group: "billing"}, outbox.Call{Step: "fee", Kind: "charge"}},
				{idem.Event{ID: id, Group: "ledger"}, charge},
				{idem.Event{ID: "order-1", Group: "billing"}, charge},
			} {
				if first, err := outbox.Enqueue(idem.WithEvent(context.Background(), tt.event), tx.tx, tt.call); err != nil || !first {
					t.Fatalf("Enqueue of %+v = %t, %v", tt, first, err)
				}
			}
			if err := tx.commit(); err != nil {
				t.Fatal(err)
			}
			wantRows(t, db, "charge pending 0; fee pending 0; charge pending 0; charge pending 0")

			var key, payload string
			if err := db.QueryRow(`SELECT idempotency_key, payload FROM idem_outbox ORDER BY id LIMIT 1`).Scan(&key, &payload); err != nil {
				t.Fatal(err)
			}
			if want := "c9a2204d-9e6a-8dc8-a79f-4d3f03b2308a"; key != want || payload != "9 EUR" {
				t.Fatalf("the row has the key %s and the payload %q, want %s", key, payload, want)
			}
		})
	}
}

func TestEnqueueRefuses(t *testing.T) {
	db, _ := migrated(t)
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := outbox.Enqueue(context.Background(), outbox.SQL(tx), charge); !errors.Is(err, money.ErrNoEvent) {
		t.Errorf("outside an event: %v", err)
	}
	if _, err := outbox.Enqueue(of("order-1"), outbox.SQL(tx), outbox.Call{Kind: "charge"}); !errors.Is(err, money.ErrNoStep) {
		t.Errorf("without a step: %v", err)
	}
	if _, err := outbox.Enqueue(of("order-1"), outbox.SQL(tx), outbox.Call{Step: "charge"}); err == nil || !strings.Contains(err.Error(), "kind") {
		t.Errorf("without a kind: %v", err)
	}
	if first, err := outbox.Enqueue(of("order-1"), outbox.SQL(tx), charge); err != nil || !first {
		t.Errorf("the transaction is no longer usable: %t, %v", first, err)
	}
}

// The conflict target is named, so a table that lost its constraint is an error and no
// second charge.
func TestEnqueueWithoutTheConstraint(t *testing.T) {
	db, _ := migrated(t)
	execute(t, db, `ALTER TABLE idem_outbox DROP CONSTRAINT idem_outbox_call`)
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	_, err = outbox.Enqueue(of("order-1"), outbox.SQL(tx), charge)
	var pg *pgconn.PgError
	if !errors.As(err, &pg) || pg.Code != "42P10" {
		t.Fatalf("Enqueue: %v, want 42P10", err)
	}
}

// Two deliveries of one event at the same time: the second waits for the first, and is
// told what became of it.
func TestEnqueueAtTheSameTime(t *testing.T) {
	for _, commits := range []bool{true, false} {
		db, dsn := migrated(t)
		one := beginSQL(t, db, dsn)
		if first, err := outbox.Enqueue(of("order-1"), one.tx, charge); err != nil || !first {
			t.Fatalf("Enqueue = %t, %v", first, err)
		}
		two := beginSQL(t, db, dsn)
		var wg sync.WaitGroup
		wg.Go(func() {
			first, err := outbox.Enqueue(of("order-1"), two.tx, charge)
			if err != nil || first == commits {
				t.Errorf("the first commits: %t; the second Enqueue = %t, %v", commits, first, err)
			}
		})
		awaitRow(t, db, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)
		end := one.rollback
		if commits {
			end = one.commit
		}
		if err := end(); err != nil {
			t.Fatal(err)
		}
		wg.Wait()
		if err := two.commit(); err != nil {
			t.Fatal(err)
		}
		wantRows(t, db, "charge pending 0")
	}
}

func TestMigrate(t *testing.T) {
	ctx := context.Background()
	db := open(t, pgtest.Database(t))
	var wg sync.WaitGroup
	for range 4 { // as when four processes start
		wg.Go(func() {
			if err := outbox.Migrate(ctx, db); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	wantRows(t, db, "")

	// A start does not wait for those who are at work in the table.
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.Exec(`LOCK TABLE idem_outbox IN ACCESS EXCLUSIVE MODE`); err != nil {
		t.Fatal(err)
	}
	execute(t, db, `ALTER DATABASE `+name(t, db)+` SET lock_timeout = '5s'`)
	db.SetMaxIdleConns(0)
	if err := outbox.Migrate(ctx, db); err != nil {
		t.Fatal(err)
	}

	files, err := fs.Glob(outbox.Migrations(), "*.sql")
	if err != nil || len(files) == 0 || files[0] != "001_outbox.sql" {
		t.Fatalf("Migrations = %q, %v", files, err)
	}
}

func TestMigrateReportsAForeignTable(t *testing.T) {
	db := open(t, pgtest.Database(t))
	execute(t, db, `CREATE TABLE idem_outbox (id int)`)
	if err := outbox.Migrate(context.Background(), db); err == nil || !strings.Contains(err.Error(), "001_outbox.sql") {
		t.Fatalf("Migrate: %v", err)
	}
	// Nothing was left behind that would make the next Migrate believe it was done.
	execute(t, db, `DROP TABLE idem_outbox`)
	if err := outbox.Migrate(context.Background(), db); err != nil {
		t.Fatal(err)
	}
	wantRows(t, db, "")
}

func name(t *testing.T, db *sql.DB) (n string) {
	t.Helper()
	if err := db.QueryRow(`SELECT quote_ident(current_database())`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
