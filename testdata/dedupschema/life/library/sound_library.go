// Package library is no program: who cleans up is for its user to say.
package library

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// Claim reports whether the event is new.
func Claim(ctx context.Context, tx pgx.Tx, id string) (bool, error) {
	tag, err := tx.Exec(ctx, `INSERT INTO processed_event (event_id) VALUES ($1) ON CONFLICT (event_id) DO NOTHING`, id)
	return tag.RowsAffected() == 1, err
}
