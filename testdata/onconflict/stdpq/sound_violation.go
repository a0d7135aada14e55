package stdpq

import (
	"context"
	"database/sql"
	"errors"

	"github.com/lib/pq"
)

// ErrOrderExists is the domain's answer to a second order of the same number.
var ErrOrderExists = errors.New("order exists")

// AddOrder handles 23505 on a business table; right: orders is no dedup table.
func AddOrder(ctx context.Context, db *sql.DB, number, buyer string) error {
	_, err := db.ExecContext(ctx, `INSERT INTO orders (number, buyer) VALUES ($1, $2)`, number, buyer)
	var pqErr *pq.Error
	if errors.As(err, &pqErr) && pqErr.Code == "23505" {
		return ErrOrderExists
	}
	return err
}

// MarkTrip has the clause and maps 23505 all the same; right: the clause answers, the branch is left for other constraints.
func MarkTrip(ctx context.Context, tx *sql.Tx, eventID, tripID string) (bool, error) {
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id, trip_id) VALUES ($1, $2) ON CONFLICT (event_id) DO NOTHING`, eventID, tripID)
	var pqErr *pq.Error
	if errors.As(err, &pqErr) && pqErr.Code == "23505" {
		return false, ErrOrderExists
	}
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}
