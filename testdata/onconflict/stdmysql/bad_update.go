package stdmysql

import (
	"context"
	"database/sql"
)

// MarkStay changes the row on a duplicate: the count is 1 first and 2 then, both more than none.
func MarkStay(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	res, err := tx.ExecContext(ctx, "INSERT INTO processed_events (event_id) VALUES (?) ON DUPLICATE KEY UPDATE processed_at = NOW(6)", eventID) // want "R-KFK-IDEM-2"
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}

// MarkMove replaces the row: every delivery writes it anew.
func MarkMove(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	res, err := tx.ExecContext(ctx, "REPLACE INTO processed_events (event_id, processed_at) VALUES (?, NOW())", eventID) // want "R-KFK-IDEM-2"
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}
