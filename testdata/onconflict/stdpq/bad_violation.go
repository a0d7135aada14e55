package stdpq

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/lib/pq"
)

// MarkGrant takes the violation 23505 for the answer; the transaction is aborted by then.
func MarkGrant(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	_, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id) VALUES ($1)`, eventID) // want "R-KFK-IDEM-2"
	var pqErr *pq.Error
	if errors.As(err, &pqErr) && pqErr.Code == "23505" {
		return false, nil
	}
	return err == nil, err
}

// MarkQuota is the same by the code's name.
func MarkQuota(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	_, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id) VALUES ($1)`, eventID) // want "R-KFK-IDEM-2"
	var pqErr *pq.Error
	if errors.As(err, &pqErr) && pqErr.Code.Name() == "unique_violation" {
		return false, nil
	}
	return err == nil, err
}

// MarkBadge is the same by a piece of the error's text.
func MarkBadge(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	_, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id) VALUES ($1)`, eventID) // want "R-KFK-IDEM-2"
	if err != nil && strings.Contains(err.Error(), "duplicate key value") {
		return false, nil
	}
	return err == nil, err
}
