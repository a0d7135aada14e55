package schema_test

import (
	"strings"
	"testing"
	"time"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/schema"
)

func TestMigrations(t *testing.T) {
	for _, c := range []struct {
		dialect    schema.Dialect
		schema     idem.Schema
		statements int // 0: there is no such table
	}{
		{schema.Postgres, idem.Partitioned, 1},
		{schema.Postgres, idem.Plain, 2},
		{schema.MySQL, idem.Plain, 1},
		{schema.SQLite, idem.Plain, 2},
		{schema.MySQL, idem.Partitioned, 0},
		{schema.SQLite, idem.Partitioned, 0},
		{"oracle", idem.Plain, 0},
	} {
		migrations, err := schema.Migrations(c.dialect, idem.Config{Table: "billing.seen", Schema: c.schema, Retention: time.Hour})
		if (err != nil) != (c.statements == 0) {
			t.Errorf("%s, %s: %v", c.dialect, c.schema, err)
		}
		for i, m := range migrations {
			if m.Version != i+1 {
				t.Errorf("%s, %s: version %d at place %d", c.dialect, c.schema, m.Version, i)
			}
			if n := len(m.Statements()); n != c.statements {
				t.Errorf("%s, %s: %d statements, want %d", c.dialect, c.schema, n, c.statements)
			}
			// One key for all: without the group in it, a second group's event is a duplicate.
			if !strings.Contains(m.SQL, "PRIMARY KEY (event_id, consumer_group)") || !strings.Contains(m.SQL, "billing.seen") || strings.Contains(m.SQL, "{{") {
				t.Errorf("%s, %s:\n%s", c.dialect, c.schema, m.SQL)
			}
		}
	}
	if _, err := schema.Migrations(schema.Postgres, idem.Config{Table: "a b", Retention: time.Hour}); err == nil {
		t.Error("any text was taken for a table's name")
	}
}
