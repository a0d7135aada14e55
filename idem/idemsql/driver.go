// Package idemsql is the driver of package idem over database/sql: for PostgreSQL (pgx's
// stdlib, lib/pq), MySQL and MariaDB, and SQLite. It imports none of their drivers.
//
// MySQL and SQLite have the plain schema only; a PostgreSQL service that can use package
// idempgx saves round trips with it.
package idemsql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/schema"
)

// Querier is a transaction as the libraries over database/sql have it: *sql.Tx itself,
// the *sqlx.Tx and bun.Tx that embed it, the ConnPool of a gorm statement. The driver has
// no way to see that it is a transaction: with a *sql.DB the mark would be durable before
// the work is.
type Querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Driver is an idem.Driver over a *sql.DB. Tx is the transaction's type in the store's
// methods.
type Driver[Tx Querier] struct {
	db      *sql.DB
	dialect dialect
	as      func(*sql.Tx) Tx
}

var (
	_ idem.Driver[*sql.Tx] = (*Driver[*sql.Tx])(nil)
	_ idem.Driver[Querier] = (*Driver[Querier])(nil)
)

// New returns a driver for a store whose transactions are *sql.Tx.
func New(db *sql.DB, d schema.Dialect) *Driver[*sql.Tx] {
	return &Driver[*sql.Tx]{db, dialects[d], func(tx *sql.Tx) *sql.Tx { return tx }}
}

// NewQuerier returns a driver for a store whose TryMarkProcessed takes the transaction of
// another library: store.TryMarkProcessed(ctx, tx, id, group) with a *sqlx.Tx or a bun.Tx,
// with db.Statement.ConnPool of gorm. Process and ProcessBatch hand a *sql.Tx to the work.
func NewQuerier(db *sql.DB, d schema.Dialect) *Driver[Querier] {
	return &Driver[Querier]{db, dialects[d], func(tx *sql.Tx) Querier { return tx }}
}

// Check refuses what the database does not have: the partitioned schema and LockTimeout
// are PostgreSQL's.
func (d *Driver[Tx]) Check(cfg idem.Config) error {
	switch {
	case d.dialect == nil:
		return errors.New("idemsql: the dialect is not one of schema.Postgres, schema.MySQL and schema.SQLite")
	case d.dialect == postgres{}:
		return nil
	case cfg.Schema != idem.Plain:
		return errors.New("idemsql: Config.Schema is partitioned, which only PostgreSQL has; set it to idem.Plain")
	case cfg.LockTimeout > 0:
		return errors.New("idemsql: Config.LockTimeout is for PostgreSQL; set innodb_lock_wait_timeout (MySQL) or busy_timeout (SQLite) in the connection string")
	case d.dialect == sqlite{} && cfg.Isolation != sql.LevelReadCommitted:
		return errors.New("idemsql: leave Config.Isolation unset; the transactions of SQLite are serializable as they are")
	}
	return nil
}

// Begin begins a transaction and claims in it.
func (d *Driver[Tx]) Begin(ctx context.Context, cfg idem.Config, claims []idem.Event) (Tx, []bool, error) {
	var none Tx
	isolation := cfg.Isolation
	if d.dialect == (sqlite{}) {
		isolation = sql.LevelDefault
	}
	tx, err := d.db.BeginTx(ctx, &sql.TxOptions{Isolation: isolation})
	if err != nil {
		return none, nil, err
	}
	if cfg.LockTimeout > 0 { // rounded up: 0 would mean to wait for ever
		_, err = tx.ExecContext(ctx, fmt.Sprintf("SET LOCAL lock_timeout = %d", (cfg.LockTimeout+time.Millisecond-1)/time.Millisecond))
	}
	var first []bool
	if err == nil {
		first, err = d.dialect.claim(ctx, cfg, tx, claims)
	}
	if err != nil {
		_ = tx.Rollback()
		return none, nil, err
	}
	return d.as(tx), first, nil
}

// Claim claims on the caller's transaction.
func (d *Driver[Tx]) Claim(ctx context.Context, cfg idem.Config, tx Tx, claims []idem.Event) ([]bool, error) {
	return d.dialect.claim(ctx, cfg, tx, claims)
}

// Commit commits what Begin began.
func (d *Driver[Tx]) Commit(_ context.Context, tx Tx) error { return any(tx).(*sql.Tx).Commit() }

// Rollback undoes what Begin began.
func (d *Driver[Tx]) Rollback(_ context.Context, tx Tx) { _ = any(tx).(*sql.Tx).Rollback() }

// Fault reads the code that the database's driver has put into err.
func (d *Driver[Tx]) Fault(err error) idem.Fault { return d.dialect.fault(err) }

// dialect is what differs between the databases.
type dialect interface {
	// claim inserts the claims that are not there yet, and says which those are.
	claim(ctx context.Context, cfg idem.Config, tx Querier, claims []idem.Event) ([]bool, error)
	fault(err error) idem.Fault
	// lock has the statements around a migration, so that one runs at a time.
	lock(table string) (begin, end, abandon []string)
	// prune is the statement that deletes up to a number of rows that are older than its
	// argument, in seconds by the database's clock.
	prune(table string, rows int) string
	placeholder() string
}

var dialects = map[schema.Dialect]dialect{
	schema.Postgres: postgres{},
	schema.MySQL:    mysql{},
	schema.SQLite:   sqlite{},
}

// returned reads the rows of (event_id, consumer_group) that a claim has inserted.
func returned(rows *sql.Rows, claims []idem.Event, first []bool) error {
	place := make(map[idem.Event]int, len(claims))
	for i, c := range claims {
		place[c] = i
	}
	for rows.Next() {
		var e idem.Event
		if err := rows.Scan(&e.ID, &e.Group); err != nil {
			_ = rows.Close()
			return err
		}
		if i, ours := place[e]; ours {
			first[i] = true
		}
	}
	return errors.Join(rows.Err(), rows.Close())
}
