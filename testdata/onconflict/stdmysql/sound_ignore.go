package stdmysql

import (
	"context"
	"database/sql"
)

// MarkSale is INSERT IGNORE; right: a duplicate is zero rows.
func MarkSale(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	res, err := tx.ExecContext(ctx, "INSERT IGNORE INTO processed_events (event_id, consumer_group) VALUES (?, 'sales')", eventID)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// MarkSwap is INSERT IGNORE in small letters over two lines with a comment between; right: it is the same statement.
func MarkSwap(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	const q = "insert /* dedup */ ignore\n into `processed_events` set event_id = ?"
	res, err := tx.ExecContext(ctx, q, eventID)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// MarkLift sets the key to itself on a duplicate; right: nothing changes, the count is zero.
func MarkLift(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	res, err := tx.ExecContext(ctx, "INSERT INTO processed_events (event_id) VALUES (?) ON DUPLICATE KEY UPDATE event_id = event_id", eventID)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// MarkPass sets the number of the row to itself on a duplicate; right: nothing changes, the count is zero.
func MarkPass(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	res, err := tx.ExecContext(ctx, "INSERT INTO inbox_events (event_id) VALUES (?) ON DUPLICATE KEY UPDATE id = inbox_events.id", eventID)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}
