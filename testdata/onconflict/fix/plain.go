package fix

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// MarkPlain is the plain literal; its answer is the row count, so the clause alone makes it right.
func MarkPlain(ctx context.Context, tx pgx.Tx, eventID string) (bool, error) {
	tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id) VALUES ($1)", eventID) // want "R-KFK-IDEM-2"
	return tag.RowsAffected() == 1, err
}
