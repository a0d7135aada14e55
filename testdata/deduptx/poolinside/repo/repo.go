// Package repo holds repositories, one for the pool and one for a transaction.
package repo

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Courts writes on the pool.
type Courts struct {
	pool *pgxpool.Pool
}

// NewCourts binds the repository to the pool.
func NewCourts(pool *pgxpool.Pool) *Courts {
	return &Courts{pool: pool}
}

// AddHour adds a booked hour on the pool.
func (r *Courts) AddHour(ctx context.Context, court string) error {
	_, err := r.pool.Exec(ctx, `UPDATE courts SET hours = hours + 1 WHERE id = $1`, court)
	return err
}

// Hours reads the booked hours on the pool.
func (r *Courts) Hours(ctx context.Context, court string) (n int, err error) {
	err = r.pool.QueryRow(ctx, `SELECT hours FROM courts WHERE id = $1`, court).Scan(&n)
	return n, err
}

// AddHourTx adds a booked hour in the caller's transaction.
func AddHourTx(ctx context.Context, tx pgx.Tx, court string) error {
	_, err := tx.Exec(ctx, `UPDATE courts SET hours = hours + 1 WHERE id = $1`, court)
	return err
}
