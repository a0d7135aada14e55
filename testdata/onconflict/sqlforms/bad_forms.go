package sqlforms

import (
	"context"
	"fmt"

	"example.com/cases/onconflict/sqlforms/dbx"
	"example.com/cases/onconflict/sqlforms/queries"
	"github.com/jackc/pgx/v5"
)

const (
	markTable   = "processed_events"
	markColumns = "event_id, consumer_group"

	markConst = `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2)`
)

var markVar = `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2)`

// MarkPackageConst runs a package constant without the clause.
func MarkPackageConst(ctx context.Context, tx pgx.Tx, id string) (int64, error) {
	tag, err := tx.Exec(ctx, markConst, id, "vans") // want "R-KFK-IDEM-2"
	return tag.RowsAffected(), err
}

// MarkPackageVar runs a package variable that nothing sets again.
func MarkPackageVar(ctx context.Context, tx pgx.Tx, id string) (int64, error) {
	tag, err := tx.Exec(ctx, markVar, id, "vans") // want "R-KFK-IDEM-2"
	return tag.RowsAffected(), err
}

// MarkLocal runs a local variable.
func MarkLocal(ctx context.Context, tx pgx.Tx, id string) (int64, error) {
	query := `INSERT INTO processed_events (event_id, consumer_group)
	          VALUES ($1, $2)`
	tag, err := tx.Exec(ctx, query, id, "vans") // want "R-KFK-IDEM-2"
	return tag.RowsAffected(), err
}

// MarkConcatenated joins the table's name into the text.
func MarkConcatenated(ctx context.Context, tx pgx.Tx, id string) (int64, error) {
	tag, err := tx.Exec(ctx, "INSERT INTO "+markTable+" ("+markColumns+") VALUES ($1, $2)", id, "vans") // want "R-KFK-IDEM-2"
	return tag.RowsAffected(), err
}

// MarkAppended builds the text in steps.
func MarkAppended(ctx context.Context, tx pgx.Tx, id string) (int64, error) {
	q := "INSERT INTO " + queries.Table
	q += " (event_id)"
	q += " VALUES ($1)"
	tag, err := tx.Exec(ctx, q, id) // want "R-KFK-IDEM-2"
	return tag.RowsAffected(), err
}

// MarkFormatted formats constants into the text.
func MarkFormatted(ctx context.Context, tx pgx.Tx, id string) (int64, error) {
	q := fmt.Sprintf("INSERT INTO %s (%s) VALUES ($1, $2)", markTable, markColumns)
	tag, err := tx.Exec(ctx, q, id, "vans") // want "R-KFK-IDEM-2"
	return tag.RowsAffected(), err
}

// MarkForeignConst runs a constant of another package.
func MarkForeignConst(ctx context.Context, tx pgx.Tx, id string) (int64, error) {
	tag, err := tx.Exec(ctx, queries.Mark, id) // want "R-KFK-IDEM-2"
	return tag.RowsAffected(), err
}

// MarkLowerCase is written in small letters over several lines with comments; the comment speaks of the clause, the statement has none.
func MarkLowerCase(ctx context.Context, tx pgx.Tx, id string) (int64, error) {
	const q = `
		-- on conflict do nothing is not needed, ids are unique
		insert into processed_events -- the dedup table
			(event_id)
		/* on conflict do nothing */
		values
			($1)`
	tag, err := tx.Exec(ctx, q, id) // want "R-KFK-IDEM-2"
	return tag.RowsAffected(), err
}

// MarkQuoted has a schema and quoted names; the value of a column is no clause either.
func MarkQuoted(ctx context.Context, tx pgx.Tx, id string) (int64, error) {
	tag, err := tx.Exec(ctx, `INSERT INTO "billing"."processed_events" ("event_id", "note") VALUES ($1, 'ON CONFLICT DO NOTHING')`, id) // want "R-KFK-IDEM-2"
	return tag.RowsAffected(), err
}

// MarkPrefixed inserts into a table whose name has a prefix.
func MarkPrefixed(ctx context.Context, tx pgx.Tx, id string) (int64, error) {
	tag, err := tx.Exec(ctx, `INSERT INTO fleet_processed_events (event_id) VALUES ($1)`, id) // want "R-KFK-IDEM-2"
	return tag.RowsAffected(), err
}

// run is a wrapper of this package around execution.
func run(ctx context.Context, tx pgx.Tx, query string, args ...any) (int64, error) {
	tag, err := tx.Exec(ctx, query, args...)
	return tag.RowsAffected(), err
}

// MarkWrapped gives the text to the package's own wrapper.
func MarkWrapped(ctx context.Context, tx pgx.Tx, id string) (int64, error) {
	return run(ctx, tx, `INSERT INTO processed_events (event_id) VALUES ($1)`, id) // want "R-KFK-IDEM-2"
}

// MarkForeignWrapped gives the text to another package's wrapper.
func MarkForeignWrapped(ctx context.Context, tx pgx.Tx, id string) (int64, error) {
	return dbx.Affected(ctx, tx, `INSERT INTO processed_events (event_id) VALUES ($1)`, id) // want "R-KFK-IDEM-2"
}
