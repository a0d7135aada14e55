//go:build unix

// Package bench has the ways to process an event that the benchmarks and the command
// bench/ratios compare: without a dedup table, with one by hand, and with package idem.
package bench

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/eventid"
	"github.com/idemlint/idemlint/idem/idempgx"
)

// Group is the consumer group of the benchmarks.
const Group = "bench"

// Workers is how many consumers work at once.
const Workers = 8

// DB is a database with a dedup table and a business table.
type DB struct {
	Pool  *pgxpool.Pool
	Store *idem.Store[pgx.Tx]
}

// Open connects to dsn, where every round trip takes delay more, and makes the tables
// when they are not there.
func Open(ctx context.Context, dsn string, delay time.Duration) (*DB, error) {
	cfg, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, err
	}
	cfg.MaxConns = Workers + 1
	if delay > 0 {
		dial := cfg.ConnConfig.DialFunc
		cfg.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := dial(ctx, network, address)
			if err != nil {
				return nil, err
			}
			sleeper, err := newSleeper(delay)
			if err != nil {
				return nil, errors.Join(err, conn.Close())
			}
			return &slowConn{conn, sleeper}, nil
		}
	}
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, err
	}
	db := &DB{Pool: pool}
	config := idem.Config{Retention: 48 * time.Hour}
	if _, err := idempgx.Migrate(ctx, pool, config); err != nil {
		return nil, err
	}
	upkeep, err := idempgx.NewMaintainer(pool, config, idempgx.Upkeep{})
	if err != nil {
		return nil, err
	}
	if _, err := upkeep.Maintain(ctx); err != nil {
		return nil, err
	}
	if _, err := pool.Exec(ctx, "CREATE TABLE IF NOT EXISTS payment (payment_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, event_id uuid NOT NULL, amount bigint NOT NULL)"); err != nil {
		return nil, err
	}
	db.Store, err = idem.New(idempgx.New(pool), config)
	return db, err
}

// slowConn delays what it writes: pgx writes once for each round trip.
type slowConn struct {
	net.Conn
	delay sleeper
}

// A sleeper sleeps, always as long.
type sleeper interface {
	Sleep() error
	Close() error
}

func (c *slowConn) Write(b []byte) (int, error) {
	if err := c.delay.Sleep(); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}

func (c *slowConn) Close() error {
	return errors.Join(c.Conn.Close(), c.delay.Close())
}

// Form is a way to process events; it processes the given ones and returns.
type Form func(ctx context.Context, db *DB, events []idem.Event) error

const payment = "INSERT INTO payment (event_id, amount) VALUES ($1, 100)"

// one makes a form of a function that processes one event.
func one(process func(ctx context.Context, db *DB, e idem.Event) error) Form {
	return func(ctx context.Context, db *DB, events []idem.Event) error {
		for _, e := range events {
			if err := process(ctx, db, e); err != nil {
				return err
			}
		}
		return nil
	}
}

// Alone is the business write in a transaction, without any dedup: three round trips.
var Alone = one(func(ctx context.Context, db *DB, e idem.Event) error {
	return pgx.BeginFunc(ctx, db.Pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, payment, e.ID)
		return err
	})
})

// Pair is Alone in two round trips, the fewest that leave room for a claim before the work:
// what [Queued] would take if its claim cost nothing.
var Pair = one(func(ctx context.Context, db *DB, e idem.Event) error {
	conn, err := db.Pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release() // which closes it, when it is not out of the transaction
	if _, err := conn.Exec(ctx, "BEGIN"); err != nil {
		return err
	}
	var b pgx.Batch
	b.Queue(payment, e.ID)
	b.Queue("COMMIT")
	return conn.SendBatch(ctx, &b).Close()
})

// Naive is the same with the mark as another statement: four round trips.
var Naive = one(func(ctx context.Context, db *DB, e idem.Event) error {
	return pgx.BeginFunc(ctx, db.Pool, func(tx pgx.Tx) error {
		first, err := db.Store.TryMarkProcessed(ctx, tx, e.ID, e.Group)
		if err != nil || !first {
			return err
		}
		_, err = tx.Exec(ctx, payment, e.ID)
		return err
	})
})

// Process is [idem.Store.Process] with a statement that is executed: three round trips.
var Process = one(func(ctx context.Context, db *DB, e idem.Event) error {
	_, err := db.Store.Process(ctx, e, func(ctx context.Context, tx pgx.Tx) error {
		_, err := tx.Exec(ctx, payment, e.ID)
		return err
	})
	return err
})

// Queued is [idem.Store.Process] with a statement that is queued: two round trips.
var Queued = one(func(ctx context.Context, db *DB, e idem.Event) error {
	_, err := db.Store.Process(ctx, e, func(_ context.Context, tx pgx.Tx) error {
		idempgx.Queue(tx).Queue(payment, e.ID)
		return nil
	})
	return err
})

// Batch is [idem.Store.ProcessBatch] with one business statement for all events.
func Batch(ctx context.Context, db *DB, events []idem.Event) error {
	_, err := db.Store.ProcessBatch(ctx, events, func(ctx context.Context, tx pgx.Tx, fresh []idem.Event) error {
		ids := make([]string, len(fresh))
		for i, e := range fresh {
			ids[i] = e.ID
		}
		idempgx.Queue(tx).Queue("INSERT INTO payment (event_id, amount) SELECT id, 100 FROM unnest($1::text[]::uuid[]) id", ids)
		return nil
	})
	return err
}

// Events returns n new events.
func Events(n int) ([]idem.Event, error) {
	events := make([]idem.Event, n)
	for i := range events {
		id, err := eventid.New()
		if err != nil {
			return nil, err
		}
		events[i] = idem.Event{ID: id.String(), Group: Group}
	}
	return events, nil
}

// RandomIDs returns n ids of version 4.
func RandomIDs(n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = uuid.NewString()
	}
	return ids
}
