package stdpq

import (
	"context"
	"database/sql"
)

// MarkPledge looks first and inserts after; right: the look is a shortcut, the insert has the clause and its count decides.
func MarkPledge(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	var seen bool
	if err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM processed_events WHERE event_id = $1)`, eventID).Scan(&seen); err != nil {
		return false, err
	}
	if seen {
		return false, nil
	}
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT (event_id) DO NOTHING`, eventID)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}
