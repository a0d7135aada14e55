package reach

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// execer is what *sql.DB and *sql.Tx have in common.
type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// MarkByInterface runs a plain INSERT on the project's own interface.
func MarkByInterface(ctx context.Context, x execer, eventID string) (bool, error) {
	res, err := x.ExecContext(ctx, `INSERT INTO processed_events (event_id) VALUES ($1)`, eventID) // want "R-KFK-IDEM-2"
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// MarkInClosure runs a plain INSERT in the closure of a transaction.
func MarkInClosure(ctx context.Context, pool *pgxpool.Pool, eventID string, work func(pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1)`, eventID) // want "R-KFK-IDEM-2"
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		return work(tx)
	})
}

// pgExec is what pgx's pool and transaction have in common.
type pgExec interface {
	Exec(ctx context.Context, query string, args ...any) (pgconn.CommandTag, error)
}

// MarkGeneric runs a plain INSERT on a type parameter.
func MarkGeneric[X pgExec, ID ~string](ctx context.Context, x X, eventID ID) (bool, error) {
	tag, err := x.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1)`, string(eventID)) // want "R-KFK-IDEM-2"
	return tag.RowsAffected() == 1, err
}

// Inbox holds the execution as a func field.
type Inbox struct {
	exec func(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// NewInbox binds the execution to a pool.
func NewInbox(db *sql.DB) *Inbox {
	return &Inbox{exec: db.ExecContext}
}

// Mark runs a plain INSERT by a bound method of the pool.
func (i *Inbox) Mark(ctx context.Context, eventID string) (bool, error) {
	res, err := i.exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1)`, eventID) // want "R-KFK-IDEM-2"
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

var errSeen = errors.New("seen")

// MarkRetried runs a plain INSERT inside a retry.
func MarkRetried(ctx context.Context, db *sql.DB, eventID string) (err error) {
	for range 3 {
		var res sql.Result
		res, err = db.ExecContext(ctx, `INSERT INTO processed_events (event_id) VALUES ($1)`, eventID) // want "R-KFK-IDEM-2"
		if err != nil {
			continue
		}
		if n, _ := res.RowsAffected(); n == 0 {
			return errSeen
		}
		return nil
	}
	return err
}
