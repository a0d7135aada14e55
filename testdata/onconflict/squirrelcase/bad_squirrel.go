package squirrelcase

import (
	"context"
	"database/sql"
	"errors"

	sq "github.com/Masterminds/squirrel"
)

var psql = sq.StatementBuilder.PlaceholderFormat(sq.Dollar)

// MarkRunWith is a builder run by itself, without a clause.
func MarkRunWith(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	res, err := psql.Insert("processed_events").Columns("event_id").Values(eventID).RunWith(tx).ExecContext(ctx) // want "R-KFK-IDEM-2"
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// MarkToSql is a builder made to text and run by the transaction, without a clause.
func MarkToSql(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	q, args, err := sq.Insert("processed_events").SetMap(map[string]any{"event_id": eventID}).PlaceholderFormat(sq.Dollar).ToSql()
	if err != nil {
		return false, err
	}
	res, err := tx.ExecContext(ctx, q, args...) // want "R-KFK-IDEM-2"
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// MarkReturning has a suffix, but only RETURNING.
func MarkReturning(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	ins := psql.Insert("processed_events").Columns("event_id").Values(eventID).Suffix("RETURNING event_id")
	var id string
	err := ins.RunWith(tx).QueryRowContext(ctx).Scan(&id) // want "R-KFK-IDEM-2"
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// MarkUpsert has a suffix that updates: one row both times.
func MarkUpsert(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	ins := psql.Insert("processed_events").Columns("event_id").Values(eventID)
	ins = ins.Suffix("ON CONFLICT (event_id) DO UPDATE SET processed_at = now()")
	res, err := ins.RunWith(tx).ExecContext(ctx) // want "R-KFK-IDEM-2"
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// MarkOptions has an option of INSERT, but not IGNORE.
func MarkOptions(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	res, err := sq.Insert("processed_events").Options("HIGH_PRIORITY").Columns("event_id").Values(eventID).RunWith(tx).ExecContext(ctx) // want "R-KFK-IDEM-2"
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// MarkReplace is the builder's REPLACE: every delivery writes the row anew.
func MarkReplace(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	res, err := sq.Replace("processed_events").Columns("event_id").Values(eventID).RunWith(tx).ExecContext(ctx) // want "R-KFK-IDEM-2"
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}
