package stdpq

import (
	"context"
	"database/sql"
	"errors"
)

// MarkParcel is the clause with a target; right: a duplicate is zero rows.
func MarkParcel(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'parcels') ON CONFLICT (event_id, consumer_group) DO NOTHING`, eventID)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}

// MarkRefund is the clause before RETURNING; right: a duplicate returns no row.
func MarkRefund(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	var id string
	err := tx.QueryRowContext(ctx, `INSERT INTO processed_event (event_id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING event_id`, eventID).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// MarkTables is a prepared INSERT with the clause on a named constraint; right: each execution answers for itself.
func MarkTables(ctx context.Context, tx *sql.Tx, eventIDs []string) (fresh []string, err error) {
	stmt, err := tx.PrepareContext(ctx, `INSERT INTO inbox_events (event_id, consumer) VALUES ($1, 'tables') ON CONFLICT ON CONSTRAINT inbox_events_pkey DO NOTHING`)
	if err != nil {
		return nil, err
	}
	defer stmt.Close()
	for _, id := range eventIDs {
		res, err := stmt.ExecContext(ctx, id)
		if err != nil {
			return nil, err
		}
		if n, _ := res.RowsAffected(); n == 1 {
			fresh = append(fresh, id)
		}
	}
	return fresh, nil
}

// MarkCoupon inserts from a SELECT and still has the clause; right: the SELECT only saves work, the clause decides.
func MarkCoupon(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	const q = `INSERT INTO processed_messages (message_id)
		SELECT $1 WHERE NOT EXISTS (SELECT 1 FROM processed_messages WHERE message_id = $1)
		ON CONFLICT (message_id) DO NOTHING`
	res, err := tx.ExecContext(ctx, q, eventID)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// MarkAndReserve marks in a CTE and works in the same statement; right: the clause is in the CTE.
func MarkAndReserve(ctx context.Context, db *sql.DB, eventID, sku string, qty int) error {
	const q = `
		WITH first_time AS (
			INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'stock')
			ON CONFLICT DO NOTHING
			RETURNING event_id
		)
		UPDATE stock SET reserved = reserved + $3 WHERE sku = $2 AND EXISTS (SELECT 1 FROM first_time)`
	_, err := db.ExecContext(ctx, q, eventID, sku, qty)
	return err
}
