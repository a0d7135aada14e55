package fix

import (
	"context"
	"database/sql"
)

// MarkMultiline is a raw literal over several lines; its answer is the row count.
func MarkMultiline(ctx context.Context, tx *sql.Tx, eventID, group string) (bool, error) {
	query := `
		INSERT INTO processed_events (event_id, consumer_group)
		VALUES ($1, $2)
	`
	res, err := tx.ExecContext(ctx, query, eventID, group) // want "R-KFK-IDEM-2"
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}
