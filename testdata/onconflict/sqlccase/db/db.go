// Package db is in the form that sqlc generates for pgx.
package db

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// DBTX is what a pool, a connection and a transaction have in common.
type DBTX interface {
	Exec(context.Context, string, ...interface{}) (pgconn.CommandTag, error)
	Query(context.Context, string, ...interface{}) (pgx.Rows, error)
	QueryRow(context.Context, string, ...interface{}) pgx.Row
}

// New binds the queries to a handle.
func New(db DBTX) *Queries {
	return &Queries{db: db}
}

// Queries are the statements of the service.
type Queries struct {
	db DBTX
}

// WithTx binds the queries to a transaction.
func (q *Queries) WithTx(tx pgx.Tx) *Queries {
	return &Queries{
		db: tx,
	}
}
