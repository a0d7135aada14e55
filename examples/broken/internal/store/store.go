// Package store has the dedup table of the billing service, and three ways to use it.
package store

import (
	"context"
	_ "embed"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

//go:embed schema.sql
var schema string

// Retention is how long an event id is remembered: longer than the topics keep their records.
const Retention = 30 * 24 * time.Hour

// DB is what a pool and a transaction have in common; with it the compiler no longer tells them apart.
type DB interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}

// Migrate creates the tables.
func Migrate(ctx context.Context, pool *pgxpool.Pool) error {
	_, err := pool.Exec(ctx, schema)
	return err
}

// TryMarkProcessed reports whether the group sees the event for the first time.
func TryMarkProcessed(ctx context.Context, db DB, id uuid.UUID, group string) (bool, error) {
	tag, err := db.Exec(ctx, `INSERT INTO processed_event (event_id, consumer_group) VALUES ($1, $2)
		ON CONFLICT (event_id, consumer_group) DO NOTHING`, id, group)
	if err != nil {
		return false, err
	}
	return tag.RowsAffected() == 1, nil
}

// MarkProcessed fails when the group has seen the event before.
func MarkProcessed(ctx context.Context, tx pgx.Tx, id uuid.UUID, group string) error {
	// R-KFK-IDEM-2, no ON CONFLICT: a duplicate is an error for ever, so the listener stops there and nobody behind it gets their money back.
	_, err := tx.Exec(ctx, "INSERT INTO processed_event (event_id, consumer_group) VALUES ($1, $2)", id, group)
	return err
}

// CheckAndMark looks first and inserts afterwards.
func CheckAndMark(ctx context.Context, tx pgx.Tx, id uuid.UUID, group string) (bool, error) {
	var seen bool
	err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM processed_event WHERE event_id = $1 AND consumer_group = $2)", id, group).Scan(&seen)
	if err != nil || seen {
		return false, err
	}
	// R-KFK-IDEM-2, select, then insert: two deliveries at once both see nothing; the loser dies on the unique key here, and every customer's amendment waits for the restart.
	_, err = tx.Exec(ctx, "INSERT INTO processed_event (event_id, consumer_group) VALUES ($1, $2)", id, group)
	return err == nil, err
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
