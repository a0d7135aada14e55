package fix

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// MarkSelectFirst looks first; the fix is the INSERT's, whose row count is read.
func MarkSelectFirst(ctx context.Context, tx pgx.Tx, eventID string) (bool, error) {
	var seen bool
	err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM processed_events WHERE event_id = $1)`, eventID).Scan(&seen)
	if err != nil || seen {
		return false, err
	}
	tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1)`, eventID) // want "R-KFK-IDEM-2"
	return tag.RowsAffected() == 1, err
}
