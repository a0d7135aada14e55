package nofix

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const dedupTable = "processed_events"

// MarkCaught is found, but has no fix: with the clause alone the violation never comes and every delivery would be the first.
func MarkCaught(ctx context.Context, tx pgx.Tx, eventID string) (bool, error) {
	_, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1)`, eventID) // want "R-KFK-IDEM-2"
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) && pgErr.Code == "23505" {
		return false, nil
	}
	return err == nil, err
}

// MarkUnread is found, but has no fix: nothing reads the row count, so with the clause alone a duplicate would pass.
func MarkUnread(ctx context.Context, tx pgx.Tx, eventID string) error {
	_, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1)`, eventID) // want "R-KFK-IDEM-2"
	return err
}

// MarkMySQL is found, but has no fix: MySQL does not know the clause.
func MarkMySQL(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	res, err := tx.ExecContext(ctx, "INSERT INTO `processed_events` (event_id) VALUES (?)", eventID) // want "R-KFK-IDEM-2"
	var myErr *mysql.MySQLError
	if errors.As(err, &myErr) {
		return false, fmt.Errorf("mark (%d): %w", myErr.Number, err)
	}
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// MarkFormatted is found, but has no fix: its text is no single literal.
func MarkFormatted(ctx context.Context, tx pgx.Tx, eventID string) (bool, error) {
	tag, err := tx.Exec(ctx, fmt.Sprintf("INSERT INTO %s (event_id) VALUES ($1)", dedupTable), eventID) // want "R-KFK-IDEM-2"
	return tag.RowsAffected() == 1, err
}

// MarkUpdate is found, but has no fix: another action stands where the clause would go.
func MarkUpdate(ctx context.Context, tx pgx.Tx, eventID string) (bool, error) {
	tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT (event_id) DO UPDATE SET processed_at = now()`, eventID) // want "R-KFK-IDEM-2"
	return tag.RowsAffected() == 1, err
}
