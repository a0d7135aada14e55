// Package store has the dedup table of the billing service.
package store

import (
	"context"
	_ "embed"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

//go:embed schema.sql
var schema string

// Retention is how long an event id is remembered: longer than the topics keep their records.
const Retention = 30 * 24 * time.Hour

// Migrate creates the tables.
func Migrate(ctx context.Context, pool *pgxpool.Pool) error {
	_, err := pool.Exec(ctx, schema)
	return err
}

// TryMarkProcessed reports whether the group sees the event for the first time. It takes a transaction and not
// the pool, so that the mark stands or falls with what the caller writes beside it.
func TryMarkProcessed(ctx context.Context, tx pgx.Tx, id uuid.UUID, group string) (bool, error) {
	tag, err := tx.Exec(ctx, `INSERT INTO processed_event (event_id, consumer_group) VALUES ($1, $2)
		ON CONFLICT (event_id, consumer_group) DO NOTHING`, id, group)
	if err != nil {
		return false, err
	}
	return tag.RowsAffected() == 1, nil
}

// PruneDaily forgets old event ids until the context ends.
func PruneDaily(ctx context.Context, pool *pgxpool.Pool) error {
	tick := time.NewTicker(24 * time.Hour)
	defer tick.Stop()
	for {
		tag, err := pool.Exec(ctx, "DELETE FROM processed_event WHERE processed_at < $1", time.Now().Add(-Retention))
		if err != nil {
			return err
		}
		slog.InfoContext(ctx, "pruned processed_event", "rows", tag.RowsAffected())
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}
