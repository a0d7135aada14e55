package store

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// DBTX is satisfied by the pool and by a transaction; this package has the shape of sqlc's output.
type DBTX interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// New makes queries on a handle.
func New(db DBTX) *Queries { return &Queries{db: db} }

// Queries runs the statements.
type Queries struct {
	db DBTX
}

// WithTx makes queries on a transaction.
func (q *Queries) WithTx(tx pgx.Tx) *Queries { return &Queries{db: tx} }

const createBooking = `-- name: CreateBooking :one
INSERT INTO bookings (court, minutes) VALUES ($1, $2) RETURNING id
`

// CreateBookingParams are the values of CreateBooking.
type CreateBookingParams struct {
	Court   string
	Minutes int
}

// CreateBooking inserts a booking.
func (q *Queries) CreateBooking(ctx context.Context, arg CreateBookingParams) (int64, error) {
	row := q.db.QueryRow(ctx, createBooking, arg.Court, arg.Minutes)
	var id int64
	err := row.Scan(&id)
	return id, err
}

const tryMarkProcessed = `-- name: TryMarkProcessed :execrows
INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING
`

// TryMarkProcessedParams are the values of TryMarkProcessed.
type TryMarkProcessedParams struct {
	EventID       string
	ConsumerGroup string
}

// TryMarkProcessed records an event.
func (q *Queries) TryMarkProcessed(ctx context.Context, arg TryMarkProcessedParams) (int64, error) {
	result, err := q.db.Exec(ctx, tryMarkProcessed, arg.EventID, arg.ConsumerGroup)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected(), nil
}
