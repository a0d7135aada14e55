package fix

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
)

// MarkReturning is a literal with RETURNING; its answer is the row or none.
func MarkReturning(ctx context.Context, tx pgx.Tx, eventID string) (bool, error) {
	var id string
	err := tx.QueryRow(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) RETURNING event_id`, eventID).Scan(&id) // want "R-KFK-IDEM-2"
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}
