// Package dedup is a house's store of marks, for the pool and for a transaction.
package dedup

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const mark = `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING`

// Store marks on the pool.
type Store struct {
	pool *pgxpool.Pool
}

// NewStore binds the store to the pool.
func NewStore(pool *pgxpool.Pool) *Store {
	return &Store{pool: pool}
}

// FirstTime marks on the pool; the mark stands whatever comes after.
func (s *Store) FirstTime(ctx context.Context, eventID, group string) (bool, error) {
	tag, err := s.pool.Exec(ctx, mark, eventID, group)
	return tag.RowsAffected() == 1, err
}

// FirstTimeTx marks in the caller's transaction.
func FirstTimeTx(ctx context.Context, tx pgx.Tx, eventID, group string) (bool, error) {
	tag, err := tx.Exec(ctx, mark, eventID, group)
	return tag.RowsAffected() == 1, err
}
