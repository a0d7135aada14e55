package stdpq

import (
	"context"
	"database/sql"
	"errors"
)

// MarkLoan asks EXISTS first and inserts after: two deliveries both read "not there".
func MarkLoan(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	var seen bool
	if err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM processed_events WHERE event_id = $1)`, eventID).Scan(&seen); err != nil {
		return false, err
	}
	if seen {
		return false, nil
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id) VALUES ($1)`, eventID) // want "R-KFK-IDEM-2"
	return err == nil, err
}

// MarkLease locks the row it looks for, but a row that is not there cannot be locked.
func MarkLease(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	var one int
	err := tx.QueryRowContext(ctx, `SELECT 1 FROM processed_events WHERE event_id = $1 FOR UPDATE`, eventID).Scan(&one)
	switch {
	case err == nil:
		return false, nil
	case !errors.Is(err, sql.ErrNoRows):
		return false, err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO processed_events (event_id) VALUES ($1)`, eventID) // want "R-KFK-IDEM-2"
	return err == nil, err
}

// TicketInbox has the look and the insert in two methods, as IsProcessed and MarkProcessed.
type TicketInbox struct {
	db *sql.DB
}

// IsProcessed is the look: reading the table is no finding by itself.
func (i *TicketInbox) IsProcessed(ctx context.Context, eventID string) (bool, error) {
	var n int
	err := i.db.QueryRowContext(ctx, `SELECT count(*) FROM processed_events WHERE event_id = $1`, eventID).Scan(&n)
	return n > 0, err
}

// MarkProcessed is the insert after it, without the clause.
func (i *TicketInbox) MarkProcessed(ctx context.Context, eventID string) error {
	_, err := i.db.ExecContext(ctx, `INSERT INTO processed_events (event_id) VALUES ($1)`, eventID) // want "R-KFK-IDEM-2"
	return err
}
