package idempgx

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/idemlint/idemlint/idem/eventid"
)

// partition is a partition of a dedup table.
type partition struct {
	name     string // quoted and with its schema as far as needed
	from, to time.Time
	// pending says that its detachment has begun.
	pending bool
}

// querier is a pool, a connection or a transaction of pgx.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

var bounds = regexp.MustCompile(`^FOR VALUES FROM \((MINVALUE|'[0-9a-f-]{36}')\) TO \((MAXVALUE|'[0-9a-f-]{36}')\)$`)

// partitions returns the partitions of table by time. It fails for a table that has a
// DEFAULT partition.
func partitions(ctx context.Context, db querier, table string) ([]partition, error) {
	rows, err := db.Query(ctx, `
		SELECT c.oid::regclass::text, pg_get_expr(c.relpartbound, c.oid), i.inhdetachpending
		FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
		WHERE i.inhparent = $1::text::regclass`, table)
	if err != nil {
		return nil, err
	}
	var parts []partition
	var p partition
	var limits string
	_, err = pgx.ForEachRow(rows, []any{&p.name, &limits, &p.pending}, func() error {
		m := bounds.FindStringSubmatch(limits)
		if m == nil {
			return fmt.Errorf("partition %s of %s is %q; the table must have range partitions of the event id alone: a DEFAULT partition takes in again what was processed and forgotten, detach it", p.name, table, limits)
		}
		p.from, p.to = boundTime(m[1]), boundTime(m[2])
		parts = append(parts, p)
		return nil
	})
	slices.SortFunc(parts, func(a, b partition) int { return a.to.Compare(b.to) })
	return parts, err
}

// boundTime is the inverse of bound.
func boundTime(text string) time.Time {
	switch text {
	case "MINVALUE":
		return eventid.Time(uuid.Nil)
	case "MAXVALUE":
		return eventid.Time(uuid.Max)
	}
	return eventid.Time(uuid.MustParse(strings.Trim(text, "'")))
}

func bound(t time.Time) string { return eventid.Bound(t).String() }

// detachedTable is a table that was a partition.
type detachedTable struct {
	name  string
	since time.Time
}

// detachedFrom begins the comment on a table that was detached; the time follows.
func detachedFrom(table string) string { return "idem: detached from " + table + " at " }

// detachedTables returns the tables that were detached from table.
func detachedTables(ctx context.Context, db querier, table string) ([]detachedTable, error) {
	mark := detachedFrom(table)
	rows, err := db.Query(ctx, `
		SELECT c.oid::regclass::text, substr(d.description, length($2) + 1)
		FROM pg_description d JOIN pg_class c ON c.oid = d.objoid
		WHERE d.classoid = 'pg_class'::regclass AND d.objsubid = 0
		  AND c.relkind = 'r' AND NOT c.relispartition
		  AND c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = $1::text::regclass)
		  AND starts_with(d.description, $2)`, table, mark)
	if err != nil {
		return nil, err
	}
	var tables []detachedTable
	var d detachedTable
	var since string
	_, err = pgx.ForEachRow(rows, []any{&d.name, &since}, func() error {
		var err error
		if d.since, err = time.Parse(time.RFC3339, since); err != nil {
			return fmt.Errorf("the comment on table %s was changed: %w", d.name, err)
		}
		tables = append(tables, d)
		return nil
	})
	slices.SortFunc(tables, func(a, b detachedTable) int { return cmp.Compare(a.name, b.name) })
	return tables, err
}
