package stdpq

import (
	"context"
	"database/sql"
)

// MarkVisit updates on conflict: the count is 1 at the first and at the second delivery.
func MarkVisit(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	const q = `INSERT INTO processed_events (event_id) VALUES ($1)
		ON CONFLICT (event_id) DO UPDATE SET processed_at = now()`
	res, err := tx.ExecContext(ctx, q, eventID) // want "R-KFK-IDEM-2"
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// MarkCheckIn updates on conflict only to get a row back: RETURNING has one both times.
func MarkCheckIn(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	const q = `INSERT INTO processed_events (event_id) VALUES ($1)
		ON CONFLICT (event_id) DO UPDATE SET event_id = EXCLUDED.event_id
		RETURNING event_id`
	var id string
	err := tx.QueryRowContext(ctx, q, eventID).Scan(&id) // want "R-KFK-IDEM-2"
	return err == nil, err
}
