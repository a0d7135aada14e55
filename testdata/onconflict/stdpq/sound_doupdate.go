package stdpq

import (
	"context"
	"database/sql"
)

// ClaimStale takes a claim over only when it is old; right: DO UPDATE has a WHERE, so a fresh duplicate is zero rows.
func ClaimStale(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	const q = `INSERT INTO processed_events (event_id, claimed_at) VALUES ($1, now())
		ON CONFLICT (event_id) DO UPDATE SET claimed_at = now()
		WHERE processed_events.done_at IS NULL AND processed_events.claimed_at < now() - interval '5 minutes'`
	res, err := tx.ExecContext(ctx, q, eventID)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// CountDelivery counts the deliveries of an event; right: it is not the row count that answers, but xmax, which is 0 for a new row only.
func CountDelivery(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	const q = `INSERT INTO processed_events (event_id, deliveries) VALUES ($1, 1)
		ON CONFLICT (event_id) DO UPDATE SET deliveries = processed_events.deliveries + 1
		RETURNING (xmax = 0) AS inserted`
	var inserted bool
	err := tx.QueryRowContext(ctx, q, eventID).Scan(&inserted)
	return inserted, err
}

// SaveProfile updates on conflict in a business table; right: profiles is no dedup table.
func SaveProfile(ctx context.Context, tx *sql.Tx, userID, name string) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO profiles (user_id, name) VALUES ($1, $2) ON CONFLICT (user_id) DO UPDATE SET name = EXCLUDED.name`, userID, name)
	return err
}
