package stdpq

import (
	"context"
	"database/sql"
)

// MarkAndRelease marks in a CTE without the clause: a duplicate fails the statement instead of doing nothing.
func MarkAndRelease(ctx context.Context, db *sql.DB, eventID, sku string, qty int) error {
	const q = `
		WITH first_time AS (
			INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'stock')
			RETURNING event_id
		)
		UPDATE stock SET reserved = reserved - $3 WHERE sku = $2 AND EXISTS (SELECT 1 FROM first_time)`
	_, err := db.ExecContext(ctx, q, eventID, sku, qty) // want "R-KFK-IDEM-2"
	return err
}
