package fix

import (
	"context"

	"github.com/jackc/pgx/v5"
)

const markSQL = `INSERT INTO inbox_events (event_id, consumer) VALUES ($1, 'kiosks')`

// MarkConst is a package constant; its answer is the row count.
func MarkConst(ctx context.Context, tx pgx.Tx, eventID string) (bool, error) {
	tag, err := tx.Exec(ctx, markSQL, eventID) // want "R-KFK-IDEM-2"
	return tag.RowsAffected() == 1, err
}
