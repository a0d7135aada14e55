package lookalike

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// AddOrder is a plain INSERT of an order that keeps the event's id; right: orders is no dedup table.
func AddOrder(ctx context.Context, tx pgx.Tx, eventID, number string) error {
	_, err := tx.Exec(ctx, `INSERT INTO orders (number, source_event_id) VALUES ($1, $2)`, number, eventID)
	return err
}

// Audit is a plain INSERT into a log that names the event; right: audit_log is written once a change, not asked.
func Audit(ctx context.Context, tx pgx.Tx, eventID, what string) error {
	_, err := tx.Exec(ctx, `INSERT INTO audit_log (event_id, what, at) VALUES ($1, $2, now())`, eventID, what)
	return err
}

// Archive moves old rows out of the dedup table; right: the INSERT goes to the archive, the dedup table is only read.
func Archive(ctx context.Context, pool *pgxpool.Pool, before time.Time) (int64, error) {
	const q = `INSERT INTO processed_events_archive (event_id, consumer_group, processed_at)
		SELECT event_id, consumer_group, processed_at FROM processed_events WHERE processed_at < $1`
	tag, err := pool.Exec(ctx, q, before)
	return tag.RowsAffected(), err
}

// Purge deletes from the dedup table; right: it inserts nothing.
func Purge(ctx context.Context, pool *pgxpool.Pool, before time.Time) (int64, error) {
	tag, err := pool.Exec(ctx, `DELETE FROM processed_events WHERE processed_at < $1`, before)
	return tag.RowsAffected(), err
}

// MoveOut deletes and keeps in one statement; right: the INSERT goes to the archive.
func MoveOut(ctx context.Context, pool *pgxpool.Pool, before time.Time) error {
	const q = `WITH gone AS (DELETE FROM processed_events WHERE processed_at < $1 RETURNING *)
		INSERT INTO processed_events_archive SELECT * FROM gone`
	_, err := pool.Exec(ctx, q, before)
	return err
}

// Forget lets an event run again, by an operator's hand; right: it deletes by key.
func Forget(ctx context.Context, pool *pgxpool.Pool, eventID string) error {
	_, err := pool.Exec(ctx, `DELETE FROM processed_events WHERE event_id = $1`, eventID)
	return err
}

// Finish sets the state of a row that the gate has claimed before; right: it is an UPDATE by key.
func Finish(ctx context.Context, tx pgx.Tx, eventID string) error {
	_, err := tx.Exec(ctx, `UPDATE processed_events SET done_at = now() WHERE event_id = $1`, eventID)
	return err
}

// CountProcessed reads the dedup table for a dashboard; right: it reads.
func CountProcessed(ctx context.Context, pool *pgxpool.Pool, group string) (n int64, err error) {
	err = pool.QueryRow(ctx, `SELECT count(*) FROM processed_events WHERE consumer_group = $1`, group).Scan(&n)
	return n, err
}

// LogOutput is a plain INSERT into the outbox; right: outbox_events is what the service sends, not what it has seen.
func LogOutput(ctx context.Context, tx pgx.Tx, eventID string, payload []byte) error {
	_, err := tx.Exec(ctx, `INSERT INTO outbox_events (event_id, payload) VALUES ($1, $2)`, eventID, payload)
	return err
}
