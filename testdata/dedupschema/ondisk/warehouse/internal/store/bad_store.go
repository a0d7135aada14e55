// Package store keeps the stock; its migrations stand at the service's root.
package store

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// First records the event in the transaction.
func First(ctx context.Context, tx pgx.Tx, id string) (bool, error) {
	tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, id) // want "dedupschema/ondisk/warehouse/migrations/10_dedup.up.sql:2: processed_events has no primary key or unique constraint on event_id"
	if err != nil {
		return false, err
	}
	return tag.RowsAffected() == 1, nil
}
