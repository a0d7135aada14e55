package stdpq

import (
	"context"
	"database/sql"
	"errors"

	_ "github.com/lib/pq"
)

// MarkShipment is a plain INSERT whose row count is read: a duplicate is an error there, never zero rows.
func MarkShipment(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'shipments')`, eventID) // want "R-KFK-IDEM-2"
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}

// MarkInvoice is a plain INSERT with RETURNING: no clause, so "no row" never happens.
func MarkInvoice(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	var id string
	err := tx.QueryRowContext(ctx, `INSERT INTO processed_event (event_id) VALUES ($1) RETURNING event_id`, eventID).Scan(&id) // want "R-KFK-IDEM-2"
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// MarkSeats is a prepared plain INSERT, executed once per seat event.
func MarkSeats(ctx context.Context, tx *sql.Tx, eventIDs []string) (fresh []string, err error) {
	stmt, err := tx.PrepareContext(ctx, `INSERT INTO inbox_events (event_id, consumer) VALUES ($1, 'seats')`)
	if err != nil {
		return nil, err
	}
	defer stmt.Close()
	for _, id := range eventIDs {
		res, err := stmt.ExecContext(ctx, id) // want "R-KFK-IDEM-2"
		if err != nil {
			return nil, err
		}
		if n, _ := res.RowsAffected(); n == 1 {
			fresh = append(fresh, id)
		}
	}
	return fresh, nil
}

// MarkVoucherOnce inserts from a SELECT that looks for the row itself: two deliveries both find none.
func MarkVoucherOnce(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	const q = `INSERT INTO processed_messages (message_id)
		SELECT $1 WHERE NOT EXISTS (SELECT 1 FROM processed_messages WHERE message_id = $1)`
	res, err := tx.ExecContext(ctx, q, eventID) // want "R-KFK-IDEM-2"
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}
