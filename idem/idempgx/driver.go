// Package idempgx is the driver of package idem for PostgreSQL over pgx v5, with the
// upkeep of the dedup table: migrations, partitions, the start-up check.
package idempgx

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemlint/idemlint/idem"
)

// Driver is an idem.Driver over a pool of pgx. It begins a transaction and claims in it
// in one round trip, once a connection has prepared the statements.
type Driver struct{ pool *pgxpool.Pool }

var _ idem.Driver[pgx.Tx] = (*Driver)(nil)

// New returns a driver that takes its connections from pool.
func New(pool *pgxpool.Pool) *Driver { return &Driver{pool} }

// Queue returns the batch of statements that goes out together with the COMMIT of tx, a
// transaction that a store of this driver hands to its work. An event whose statements
// are all queued takes two round trips: one begins and claims, one works and commits.
//
// The statements run after those that the work executes directly, in the order in which
// they were queued. When one fails, nothing is committed, and Process treats its error
// like one of the COMMIT. A callback of a queued statement sees the result after the
// COMMIT has gone out, so its error cannot stop it: state a condition in SQL instead. The
// error is returned nevertheless, and a retry then finds the event processed.
//
// It panics when tx comes from elsewhere.
func Queue(tx pgx.Tx) *pgx.Batch {
	t, ok := tx.(*storeTx)
	if !ok {
		panic(fmt.Sprintf("idempgx: Queue of a %T, which is not the transaction that a store handed to its work", tx))
	}
	return &t.queue
}

// storeTx is the transaction of a store, which alone ends it.
type storeTx struct {
	pgx.Tx
	conn  *pgxpool.Conn
	queue pgx.Batch
}

var errOwned = errors.New("idempgx: the store ends this transaction itself, when the work returns; return an error to roll it back")

// Commit returns an error: the work does not commit.
func (*storeTx) Commit(context.Context) error { return errOwned }

// Rollback returns an error: the work rolls back by returning one.
func (*storeTx) Rollback(context.Context) error { return errOwned }

// Check accepts every configuration.
func (*Driver) Check(idem.Config) error { return nil }

// Begin begins and claims in one round trip.
func (d *Driver) Begin(ctx context.Context, cfg idem.Config, claims []idem.Event) (pgx.Tx, []bool, error) {
	conn, err := d.pool.Acquire(ctx)
	if err != nil {
		return nil, nil, err
	}
	var b pgx.Batch
	b.BeginTx(pgx.TxOptions{IsoLevel: levels[cfg.Isolation]})
	if cfg.LockTimeout > 0 {
		b.Queue(setLockTimeout(cfg.LockTimeout))
	}
	first := make([]bool, len(claims))
	queueClaim(&b, cfg, claims, first)
	results := conn.SendBatch(ctx, &b)
	tx := &storeTx{Tx: results.Tx(), conn: conn}
	if err := results.Close(); err != nil {
		d.Rollback(ctx, tx)
		return nil, nil, err
	}
	return tx, first, nil
}

var levels = map[sql.IsolationLevel]pgx.TxIsoLevel{
	sql.LevelReadCommitted:  pgx.ReadCommitted,
	sql.LevelRepeatableRead: pgx.RepeatableRead,
	sql.LevelSerializable:   pgx.Serializable,
}

// setLockTimeout rounds up: 0 would mean to wait for ever.
func setLockTimeout(d time.Duration) string {
	return fmt.Sprintf("SET LOCAL lock_timeout = %d", (d+time.Millisecond-1)/time.Millisecond)
}

// Claim claims in one round trip, on any transaction of pgx.
func (d *Driver) Claim(ctx context.Context, cfg idem.Config, tx pgx.Tx, claims []idem.Event) ([]bool, error) {
	var b pgx.Batch
	first := make([]bool, len(claims))
	queueClaim(&b, cfg, claims, first)
	if err := tx.SendBatch(ctx, &b).Close(); err != nil {
		return nil, err
	}
	return first, nil
}

// queueClaim queues the insert and sets first when its answer arrives. The conflict
// target is named, so that a table whose key is not this pair fails loudly with 42P10
// instead of accepting every event again.
func queueClaim(b *pgx.Batch, cfg idem.Config, claims []idem.Event, first []bool) {
	const conflict = " ON CONFLICT (event_id, consumer_group) DO NOTHING"
	into := "INSERT INTO " + cfg.Table + " (event_id, consumer_group) "
	if len(claims) == 1 {
		b.Queue(into+"VALUES ($1, $2)"+conflict, key(cfg, claims[0].ID), claims[0].Group).Exec(func(tag pgconn.CommandTag) error {
			first[0] = tag.RowsAffected() == 1
			return nil
		})
		return
	}
	ids, kind := keys(cfg, claims)
	rows, groups := "unnest($1::"+kind+"[]) id, (VALUES ($2::text)) g", any(claims[0].Group) // what a poll is, and quicker
	if !sameGroup(claims) {
		rows, groups = "unnest($1::"+kind+"[], $2::text[])", groupsOf(claims)
	}
	b.Queue(into+"SELECT * FROM "+rows+conflict+" RETURNING event_id::text, consumer_group", ids, groups).Query(func(rows pgx.Rows) error {
		var e idem.Event
		_, err := pgx.ForEachRow(rows, []any{&e.ID, &e.Group}, func() error {
			if i, found := slices.BinarySearchFunc(claims, e, idem.CompareEvents); found {
				first[i] = true
			}
			return nil
		})
		return err
	})
}

func sameGroup(claims []idem.Event) bool {
	return !slices.ContainsFunc(claims, func(c idem.Event) bool { return c.Group != claims[0].Group })
}

func groupsOf(claims []idem.Event) []string {
	groups := make([]string, len(claims))
	for i, c := range claims {
		groups[i] = c.Group
	}
	return groups
}

func key(cfg idem.Config, id string) any {
	if cfg.Schema == idem.Plain {
		return id
	}
	return pgtype.UUID{Bytes: uuid.MustParse(id), Valid: true}
}

func keys(cfg idem.Config, claims []idem.Event) (ids any, kind string) {
	if cfg.Schema == idem.Plain {
		texts := make([]string, len(claims))
		for i, c := range claims {
			texts[i] = c.ID
		}
		return texts, "text"
	}
	// Pointers, since pgx takes each element as an interface, which copies a value.
	uuids, elements := make([]pgtype.UUID, len(claims)), make(pgtype.FlatArray[*pgtype.UUID], len(claims))
	for i, c := range claims {
		uuids[i] = pgtype.UUID{Bytes: uuid.MustParse(c.ID), Valid: true}
		elements[i] = &uuids[i]
	}
	return elements, "uuid"
}

// Commit sends what was queued and the COMMIT in one round trip.
func (d *Driver) Commit(ctx context.Context, tx pgx.Tx) error {
	t := tx.(*storeTx)
	defer t.conn.Release() // which closes it, when it is not out of the transaction
	if t.queue.Len() == 0 {
		return t.Tx.Commit(ctx)
	}
	// In a transaction that is aborted already the first statement fails, and the COMMIT
	// is not reached.
	t.queue.Queue("COMMIT")
	err := t.SendBatch(ctx, &t.queue).Close()
	if t.conn.Conn().PgConn().TxStatus() == 'E' {
		d.end(ctx, t)
	}
	t.Tx = closedTx
	return err
}

// closedTx is a transaction that has ended: what work finds when it goes on using its
// transaction after it has returned, instead of a connection that is somebody else's.
var closedTx = func() pgx.Tx {
	var b pgx.Batch
	b.BeginTx(pgx.TxOptions{})
	return pgx.FailedBatchResults(&b, pgx.ErrTxClosed).Tx()
}()

// Rollback rolls back and returns the connection to the pool.
func (d *Driver) Rollback(ctx context.Context, tx pgx.Tx) {
	t := tx.(*storeTx)
	d.end(ctx, t)
	t.conn.Release()
}

// end rolls back even if ctx is done; when the server does not answer in time, the
// connection is closed, and the server rolls back by itself.
func (*Driver) end(ctx context.Context, t *storeTx) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	_ = t.Tx.Rollback(ctx)
}

// Fault reads PostgreSQL's SQLSTATE; an error without one is a broken connection.
func (*Driver) Fault(err error) idem.Fault {
	var pg *pgconn.PgError
	switch {
	case errors.As(err, &pg):
		return sqlstate(pg)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded),
		errors.Is(err, pgx.ErrTxClosed), errors.Is(err, pgx.ErrTxCommitRollback):
		return idem.Fault{Kind: idem.Permanent}
	}
	return idem.Fault{Kind: idem.Lost, Code: "connection"}
}

func sqlstate(pg *pgconn.PgError) idem.Fault {
	fault := idem.Fault{Kind: idem.Permanent, Code: pg.Code}
	switch pg.Code {
	case "40001", "40P01", "55P03": // serialization failure, deadlock, lock timeout
		fault.Kind = idem.Transient
	case "57P01", "57P02", "57P03": // the server shuts down, has crashed, is starting
		fault.Kind = idem.Lost
	case "23514":
		if pg.ConstraintName == "" { // a CHECK has a name, a missing partition has none
			fault.Kind = idem.NoPartition
		}
	}
	if strings.HasPrefix(pg.Code, "08") { // connection exceptions
		fault.Kind = idem.Lost
	}
	return fault
}
