// Package store carries a transaction in the context, and in a unit of work.
package store

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// ErrSeen says that the event was there.
var ErrSeen = errors.New("seen")

type executor interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}

type txKey struct{}

// WithinTx runs fn with a context that carries a transaction.
func WithinTx(ctx context.Context, pool *pgxpool.Pool, fn func(ctx context.Context) error) error {
	tx, err := pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if err := fn(context.WithValue(ctx, txKey{}, tx)); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

func from(ctx context.Context, pool *pgxpool.Pool) executor {
	if tx, ok := ctx.Value(txKey{}).(pgx.Tx); ok {
		return tx
	}
	return pool
}

// Inbox records event ids.
type Inbox struct{ pool *pgxpool.Pool }

// NewInbox returns an inbox.
func NewInbox(pool *pgxpool.Pool) *Inbox { return &Inbox{pool} }

// TryMark reports whether the id is new.
func (i *Inbox) TryMark(ctx context.Context, id string) (bool, error) {
	tag, err := from(ctx, i.pool).Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, id)
	return tag.RowsAffected() == 1, err
}

// Farms is a repository.
type Farms struct{ pool *pgxpool.Pool }

// NewFarms returns a repository.
func NewFarms(pool *pgxpool.Pool) *Farms { return &Farms{pool} }

// Add counts.
func (f *Farms) Add(ctx context.Context, id string) error {
	_, err := from(ctx, f.pool).Exec(ctx, `UPDATE farms SET pups = pups + 1 WHERE id = $1`, id)
	return err
}

// Unit is a unit of work.
type Unit struct{ tx pgx.Tx }

// Work runs fn in a unit of work.
func Work(ctx context.Context, pool *pgxpool.Pool, fn func(u *Unit) error) error {
	tx, err := pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if err := fn(&Unit{tx: tx}); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// TryMark reports whether the id is new.
func (u *Unit) TryMark(ctx context.Context, id string) (bool, error) {
	tag, err := u.tx.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, id)
	return tag.RowsAffected() == 1, err
}

// AddFarm counts.
func (u *Unit) AddFarm(ctx context.Context, id string) error {
	_, err := u.tx.Exec(ctx, `UPDATE farms SET hares = hares + 1 WHERE id = $1`, id)
	return err
}
