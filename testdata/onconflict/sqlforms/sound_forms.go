package sqlforms

import (
	"context"
	"fmt"

	"example.com/cases/onconflict/sqlforms/dbx"
	"example.com/cases/onconflict/sqlforms/queries"
	"github.com/jackc/pgx/v5"
)

const (
	claimConst  = markConst + ` ON CONFLICT (` + markColumns + `) DO NOTHING`
	claimSuffix = "ON CONFLICT DO NOTHING"
)

var claimVar = `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING`

// ClaimPackageConst runs a constant made of the plain text and the clause; right: what runs has the clause.
func ClaimPackageConst(ctx context.Context, tx pgx.Tx, id string) (int64, error) {
	tag, err := tx.Exec(ctx, claimConst, id, "vans")
	return tag.RowsAffected(), err
}

// ClaimPackageVar runs a variable with the clause; right: nothing sets it again.
func ClaimPackageVar(ctx context.Context, tx pgx.Tx, id string) (int64, error) {
	tag, err := tx.Exec(ctx, claimVar, id, "vans")
	return tag.RowsAffected(), err
}

// ClaimConcatenated joins the table's name and the clause into the text; right: the clause is the last piece.
func ClaimConcatenated(ctx context.Context, tx pgx.Tx, id string) (int64, error) {
	tag, err := tx.Exec(ctx, "INSERT INTO "+markTable+" ("+markColumns+") VALUES ($1, $2) "+claimSuffix, id, "vans")
	return tag.RowsAffected(), err
}

// ClaimAppended builds the text in steps; right: the last step adds the clause.
func ClaimAppended(ctx context.Context, tx pgx.Tx, id string) (int64, error) {
	q := "INSERT INTO " + queries.Table
	q += " (event_id)"
	q += " VALUES ($1)"
	q += queries.DoNothing
	tag, err := tx.Exec(ctx, q, id)
	return tag.RowsAffected(), err
}

// ClaimFormatted formats constants into the text; right: one of them is the clause.
func ClaimFormatted(ctx context.Context, tx pgx.Tx, id string) (int64, error) {
	q := fmt.Sprintf("INSERT INTO %s (%s) VALUES ($1, $2) %s", markTable, markColumns, claimSuffix)
	tag, err := tx.Exec(ctx, q, id, "vans")
	return tag.RowsAffected(), err
}

// ClaimForeignConst runs another package's constant; right: it has the clause.
func ClaimForeignConst(ctx context.Context, tx pgx.Tx, id string) (int64, error) {
	tag, err := tx.Exec(ctx, queries.Claim, id)
	return tag.RowsAffected(), err
}

// ClaimLowerCase has the clause in small letters, torn apart by a comment and line ends; right: it is the clause.
func ClaimLowerCase(ctx context.Context, tx pgx.Tx, id string) (int64, error) {
	const q = `
		insert into processed_events -- the dedup table
			(event_id)
		values
			($1)
		on conflict (event_id) -- delivered before
			do
			nothing;
		`
	tag, err := tx.Exec(ctx, q, id)
	return tag.RowsAffected(), err
}

// ClaimQuoted has a schema, quoted names and the clause; right: it is the clause.
func ClaimQuoted(ctx context.Context, tx pgx.Tx, id string) (int64, error) {
	tag, err := tx.Exec(ctx, `INSERT INTO "billing"."processed_events" ("event_id") VALUES ($1) ON CONFLICT ("event_id") DO NOTHING`, id)
	return tag.RowsAffected(), err
}

// ClaimWrapped gives the text to the package's own wrapper; right: it has the clause.
func ClaimWrapped(ctx context.Context, tx pgx.Tx, id string) (int64, error) {
	return run(ctx, tx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, id)
}

// ClaimForeignWrapped gives the text to another package's wrapper; right: it has the clause.
func ClaimForeignWrapped(ctx context.Context, tx pgx.Tx, id string) (int64, error) {
	return dbx.Affected(ctx, tx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, id)
}
