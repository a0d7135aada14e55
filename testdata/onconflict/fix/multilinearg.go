package fix

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// MarkMultilineArg is a raw literal over several lines that stands in the call; its answer is the row count.
func MarkMultilineArg(ctx context.Context, tx pgx.Tx, eventID, group string) (bool, error) {
	tag, err := tx.Exec(ctx, // want "R-KFK-IDEM-2"
		`INSERT INTO processed_events (event_id, consumer_group)
		 VALUES ($1, $2)`, eventID, group)
	return tag.RowsAffected() == 1, err
}
