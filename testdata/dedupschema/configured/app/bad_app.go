// Package app names its schema in the configuration.
package app

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Once records a scan.
func Once(ctx context.Context, pool *pgxpool.Pool, id, consumer string) (bool, error) {
	tag, err := pool.Exec(ctx, `INSERT INTO scan_dedup (event_id, consumer) VALUES ($1, $2) ON CONFLICT DO NOTHING`, id, consumer) // want "ddl/tables.sql:1: scan_dedup records the consumer group in consumer"
	return tag.RowsAffected() == 1, err
}
