package pgxcase

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// ClaimOnConn has the clause; right: the row count tells first from second.
func ClaimOnConn(ctx context.Context, conn *pgx.Conn, eventID string) (bool, error) {
	tag, err := conn.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, eventID)
	return tag.RowsAffected() == 1, err
}

// ClaimInTx has the clause with a target; right: the row count tells first from second.
func ClaimInTx(ctx context.Context, tx pgx.Tx, eventID string) (bool, error) {
	tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT (event_id) DO NOTHING`, eventID)
	return tag.RowsAffected() == 1, err
}

// ClaimOnPool has the clause before RETURNING; right: no row is a duplicate.
func ClaimOnPool(ctx context.Context, pool *pgxpool.Pool, eventID string) (bool, error) {
	var id string
	err := pool.QueryRow(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING event_id`, eventID).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// ClaimNamed has the clause and named arguments; right: the row count tells first from second.
func ClaimNamed(ctx context.Context, tx pgx.Tx, eventID, group string) (bool, error) {
	tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES (@id, @grp) ON CONFLICT DO NOTHING`, pgx.NamedArgs{"id": eventID, "grp": group})
	return tag.RowsAffected() == 1, err
}

// ClaimMany has the clause on a whole batch; right: only the new ids come back.
func ClaimMany(ctx context.Context, tx pgx.Tx, ids []string) ([]string, error) {
	rows, err := tx.Query(ctx, `INSERT INTO processed_events (event_id) SELECT unnest($1::text[]) ORDER BY 1 ON CONFLICT DO NOTHING RETURNING event_id`, ids)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// AddSubscriber takes 23505 on a business table for "already there"; right: subscribers is no dedup table.
func AddSubscriber(ctx context.Context, pool *pgxpool.Pool, email string) (bool, error) {
	_, err := pool.Exec(ctx, `INSERT INTO subscribers (email) VALUES ($1)`, email)
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) && pgErr.Code == "23505" {
		return false, nil
	}
	return err == nil, err
}
