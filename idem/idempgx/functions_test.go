package idempgx_test

import (
	"testing"
	"time"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/idempgx"
	"github.com/idemlint/idemlint/idem/schema"
)

// TestPartitionFunctions runs the upkeep in SQL, as psql or pg_cron would: the statement
// that next_detach returns is run on its own. Maintain and the functions understand each
// other's tables.
func TestPartitionFunctions(t *testing.T) {
	for _, table := range []string{"processed_event", "billing.seen"} {
		t.Run(table, func(t *testing.T) {
			f := newFixture(t, func(c *idem.Config) { c.Table = "elsewhere" })
			f.exec("CREATE SCHEMA billing")
			f.cfg.Table = table
			if _, err := idempgx.Migrate(t.Context(), f.pool, f.cfg); err != nil {
				t.Fatal(err)
			}
			functions, err := schema.PartitionFunctions(f.cfg)
			if err != nil {
				t.Fatal(err)
			}
			f.exec(functions)
			f.exec(functions) // again, as an upgrade does
			f.store = f.newStore(f.pool)

			if n := f.count("SELECT " + table + "_make_partitions('48 hours', '1 day')"); n != 4 {
				t.Errorf("%d partitions were made, want one for each of 4 days", n)
			}
			if n := f.count("SELECT " + table + "_make_partitions('48 hours', '1 day')"); n != 0 {
				t.Errorf("%d partitions were made again", n)
			}
			old := event(idAt(time.Now().Add(-47 * time.Hour)))
			f.want(old, idem.Processed)
			f.want(event(newID(t)), idem.Processed)
			if report := f.maintain(idempgx.Upkeep{Ahead: 24 * time.Hour}); len(report.Made) > 1 {
				t.Errorf("Maintain does not see the partitions: %+v", report)
			}

			var statement *string
			detach := func(retention string) {
				t.Helper()
				if err := f.pool.QueryRow(t.Context(), "SELECT "+table+"_next_detach($1::text::interval)", retention).Scan(&statement); err != nil {
					t.Fatal(err)
				}
				if statement != nil {
					f.exec(*statement)
				}
			}
			if detach("49 hours"); statement != nil {
				// The oldest partition began up to a day before the window.
				t.Errorf("detached within the retention: %s", *statement)
			}
			for range 3 {
				detach("1 hour")
			}
			f.want(old, idem.TooOld)
			f.want(event(newID(t)), idem.Processed)
			if n := f.count("SELECT " + table + "_drop_detached('1 hour')"); n != 0 {
				t.Errorf("%d tables were dropped within the grace period", n)
			}
			// The partitions that were removed do not come back with a longer retention.
			f.count("SELECT " + table + "_make_partitions('72 hours', '1 day')")
			f.want(old, idem.TooOld)
			if n := f.count("SELECT " + table + "_drop_detached('0 hours')"); n < 1 || n > 3 {
				t.Errorf("%d tables were dropped", n)
			}
		})
	}
}

// TestFunctionsFinishAPendingDetach: an interrupted detachment is finished first.
func TestFunctionsFinishAPendingDetach(t *testing.T) {
	f := newFixture(t)
	functions, err := schema.PartitionFunctions(f.cfg)
	if err != nil {
		t.Fatal(err)
	}
	f.exec(functions)
	old := f.hold(event(newID(t)))
	f.cfg.Retention = time.Hour
	report, err := f.maintainer(idempgx.Upkeep{LockTimeout: 50 * time.Millisecond}).Maintain(t.Context())
	if err != nil || report.Pending == "" {
		t.Fatalf("%+v, %v", report, err)
	}
	if err := old.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	var statement string
	if err := f.pool.QueryRow(t.Context(), "SELECT processed_event_next_detach('1 year')").Scan(&statement); err != nil {
		t.Fatal(err)
	}
	if want := "ALTER TABLE processed_event DETACH PARTITION " + report.Pending + " FINALIZE"; statement != want {
		t.Fatalf("%s, want %s", statement, want)
	}
	f.exec(statement)
	if report := f.maintain(idempgx.Upkeep{}); report.Pending != "" {
		t.Errorf("%+v", report)
	}
}
