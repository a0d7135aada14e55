//go:build unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/idempgx"

	"github.com/idemlint/idemlint/examples/billing/internal/service"
)

// childVariable makes this test binary a process of the service: it holds a childConfig.
const childVariable = "BILLING_TEST_CHILD"

type childConfig struct {
	DSN, Placed, Cancelled, DeadLetters, Group, Instance, Provider string

	Brokers []string
	// Broken has the process use the dedup table brokenTable.
	Broken bool
}

// child runs the service until SIGTERM and returns the exit status.
func child() int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if err := runChild(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "child:", err)
		return 1
	}
	return 0
}

func runChild(ctx context.Context) error {
	var cfg childConfig
	if err := json.Unmarshal([]byte(os.Getenv(childVariable)), &cfg); err != nil {
		return err
	}
	pool, err := pgxpool.New(ctx, cfg.DSN)
	if err != nil {
		return err
	}
	defer pool.Close()
	var driver idem.Driver[pgx.Tx] = idempgx.New(pool)
	if cfg.Broken {
		driver = &brokenDriver{Driver: idempgx.New(pool), pool: pool}
	}
	store, err := idem.New(driver, storeConfig)
	if err != nil {
		return err
	}
	return service.Run(ctx, pool, store, service.Config{
		Brokers: cfg.Brokers,
		Placed:  cfg.Placed, Cancelled: cfg.Cancelled, DeadLetters: cfg.DeadLetters,
		Group: cfg.Group, Instance: cfg.Instance, Provider: cfg.Provider,
		Backoff: func(int) time.Duration { return 10 * time.Millisecond },
		Poll:    20 * time.Millisecond,
		Client:  []kgo.Opt{kgo.HeartbeatInterval(100 * time.Millisecond)},
		Logger:  slog.New(slog.DiscardHandler),
	})
}

// storeConfig is the store's, in the processes and for the tables that they find.
var storeConfig = idem.Config{Retention: service.Retention}

// brokenTable is the dedup table that is often recommended. The key that its partitions
// need differs from one delivery to the next.
const brokenTable = `CREATE TABLE broken_event (
		event_id uuid NOT NULL, consumer_group text NOT NULL, processed_at timestamptz NOT NULL DEFAULT now(),
		PRIMARY KEY (event_id, consumer_group, processed_at)
	) PARTITION BY RANGE (processed_at);
	CREATE TABLE broken_event_all PARTITION OF broken_event FOR VALUES FROM (MINVALUE) TO (MAXVALUE)`

// brokenDriver is a driver whose gate is an insert into brokenTable.
type brokenDriver struct {
	*idempgx.Driver
	pool *pgxpool.Pool
}

func (d *brokenDriver) Begin(ctx context.Context, cfg idem.Config, claims []idem.Event) (pgx.Tx, []bool, error) {
	tx, err := d.pool.Begin(ctx)
	if err != nil {
		return nil, nil, err
	}
	first, err := d.Claim(ctx, cfg, tx, claims)
	if err != nil {
		d.Rollback(ctx, tx)
		return nil, nil, err
	}
	return tx, first, nil
}

func (d *brokenDriver) Claim(ctx context.Context, _ idem.Config, tx pgx.Tx, claims []idem.Event) ([]bool, error) {
	first := make([]bool, len(claims))
	for i, c := range claims {
		tag, err := tx.Exec(ctx, `INSERT INTO broken_event (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING`, c.ID, c.Group)
		if err != nil {
			return nil, err
		}
		first[i] = tag.RowsAffected() == 1
	}
	return first, nil
}

func (d *brokenDriver) Commit(ctx context.Context, tx pgx.Tx) error { return tx.Commit(ctx) }

func (d *brokenDriver) Rollback(ctx context.Context, tx pgx.Tx) {
	_ = tx.Rollback(context.WithoutCancel(ctx))
}
