package pgxcase

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// MarkOnConn is a plain INSERT on a single connection.
func MarkOnConn(ctx context.Context, conn *pgx.Conn, eventID string) (bool, error) {
	tag, err := conn.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1)`, eventID) // want "R-KFK-IDEM-2"
	return tag.RowsAffected() == 1, err
}

// MarkInTx is a plain INSERT in a transaction.
func MarkInTx(ctx context.Context, tx pgx.Tx, eventID string) (bool, error) {
	tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1)`, eventID) // want "R-KFK-IDEM-2"
	return tag.RowsAffected() == 1, err
}

// MarkOnPool is a plain INSERT on the pool with RETURNING.
func MarkOnPool(ctx context.Context, pool *pgxpool.Pool, eventID string) (bool, error) {
	var id string
	err := pool.QueryRow(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) RETURNING event_id`, eventID).Scan(&id) // want "R-KFK-IDEM-2"
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// MarkNamed is a plain INSERT with named arguments.
func MarkNamed(ctx context.Context, tx pgx.Tx, eventID, group string) (bool, error) {
	tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES (@id, @grp)`, pgx.NamedArgs{"id": eventID, "grp": group}) // want "R-KFK-IDEM-2"
	return tag.RowsAffected() == 1, err
}

// MarkMany is a plain INSERT of a whole batch of ids by unnest.
func MarkMany(ctx context.Context, tx pgx.Tx, ids []string) ([]string, error) {
	rows, err := tx.Query(ctx, `INSERT INTO processed_events (event_id) SELECT unnest($1::text[]) RETURNING event_id`, ids) // want "R-KFK-IDEM-2"
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// MarkCaught takes the violation for the answer; every later statement of the transaction fails with 25P02.
func MarkCaught(ctx context.Context, tx pgx.Tx, eventID string) (bool, error) {
	_, err := tx.Exec(ctx, `INSERT INTO inbox_events (event_id) VALUES ($1)`, eventID) // want "R-KFK-IDEM-2"
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) && pgErr.Code == "23505" {
		return false, nil
	}
	return err == nil, err
}
