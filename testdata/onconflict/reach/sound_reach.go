package reach

import (
	"context"
	"database/sql"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// ClaimByInterface has the clause; right: the interface does not matter.
func ClaimByInterface(ctx context.Context, x execer, eventID string) (bool, error) {
	res, err := x.ExecContext(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, eventID)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// ClaimInClosure has the clause in the closure of a transaction; right: zero rows ends it.
func ClaimInClosure(ctx context.Context, pool *pgxpool.Pool, eventID string, work func(pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, eventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		return work(tx)
	})
}

// ClaimGeneric has the clause on a type parameter; right: the instance does not matter.
func ClaimGeneric[X pgExec, ID ~string](ctx context.Context, x X, eventID ID) (bool, error) {
	tag, err := x.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, string(eventID))
	return tag.RowsAffected() == 1, err
}

// Outgoing holds the execution as a func field.
type Outgoing struct {
	exec func(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// NewOutgoing binds the execution to a pool.
func NewOutgoing(db *sql.DB) *Outgoing {
	return &Outgoing{exec: db.ExecContext}
}

// Claim has the clause and runs by a bound method of the pool; right: zero rows is a duplicate.
func (o *Outgoing) Claim(ctx context.Context, eventID string) (bool, error) {
	res, err := o.exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, eventID)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// Add is a plain INSERT into a business table by the same field; right: parcels_out is no dedup table.
func (o *Outgoing) Add(ctx context.Context, parcel string) error {
	_, err := o.exec(ctx, `INSERT INTO parcels_out (parcel) VALUES ($1)`, parcel)
	return err
}
