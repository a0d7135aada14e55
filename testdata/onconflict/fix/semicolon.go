package fix

import (
	"context"

	"github.com/jmoiron/sqlx"
)

// MarkSemicolon is a literal that ends in a semicolon; its answer is the row count.
func MarkSemicolon(ctx context.Context, tx *sqlx.Tx, eventID string) (bool, error) {
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id) VALUES ($1);`, eventID) // want "R-KFK-IDEM-2"
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}
