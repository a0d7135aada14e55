package squirrelcase

import (
	"context"
	"database/sql"
	"errors"

	sq "github.com/Masterminds/squirrel"
)

// ClaimRunWith has the clause as a suffix; right: zero rows is a duplicate.
func ClaimRunWith(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	res, err := psql.Insert("processed_events").Columns("event_id").Values(eventID).Suffix("ON CONFLICT DO NOTHING").RunWith(tx).ExecContext(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// ClaimToSql has the clause in the text that ToSql makes; right: zero rows is a duplicate.
func ClaimToSql(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	q, args, err := sq.Insert("processed_events").SetMap(map[string]any{"event_id": eventID}).Suffix("ON CONFLICT (event_id) DO NOTHING").PlaceholderFormat(sq.Dollar).ToSql()
	if err != nil {
		return false, err
	}
	res, err := tx.ExecContext(ctx, q, args...)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// ClaimReturning has the clause and RETURNING in two suffixes; right: no row is a duplicate.
func ClaimReturning(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	ins := psql.Insert("processed_events").Columns("event_id").Values(eventID).Suffix("ON CONFLICT DO NOTHING").Suffix("RETURNING event_id")
	var id string
	err := ins.RunWith(tx).QueryRowContext(ctx).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// ClaimSteps adds the clause to the builder in a second step; right: the builder that runs has it.
func ClaimSteps(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	ins := psql.Insert("processed_events").Columns("event_id").Values(eventID)
	ins = ins.Suffix("ON CONFLICT (event_id) DO NOTHING")
	res, err := ins.RunWith(tx).ExecContext(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// ClaimOptions is INSERT IGNORE by an option; right: zero rows is a duplicate.
func ClaimOptions(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	res, err := sq.Insert("processed_events").Options("IGNORE").Columns("event_id").Values(eventID).RunWith(tx).ExecContext(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// ClaimSuffix has its suffix from the caller; silent: what it says cannot be seen here.
func ClaimSuffix(ctx context.Context, tx *sql.Tx, eventID, suffix string) error {
	_, err := psql.Insert("processed_events").Columns("event_id").Values(eventID).Suffix(suffix).RunWith(tx).ExecContext(ctx)
	return err
}

// ClaimInto has its table from the caller; silent: which table it is cannot be seen here.
func ClaimInto(ctx context.Context, tx *sql.Tx, table, eventID string) error {
	_, err := psql.Insert(table).Columns("event_id").Values(eventID).RunWith(tx).ExecContext(ctx)
	return err
}

// AddFerry is a builder into a business table without a clause; right: ferries is no dedup table.
func AddFerry(ctx context.Context, tx *sql.Tx, name string) error {
	_, err := psql.Insert("ferries").Columns("name").Values(name).RunWith(tx).ExecContext(ctx)
	return err
}
