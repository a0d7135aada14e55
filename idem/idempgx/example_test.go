package idempgx_test

import (
	"context"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/idempgx"
)

// A consumer prepares the table, checks it against the topic and processes its events.
func Example() {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, "postgres://localhost/billing")
	if err != nil {
		panic(err)
	}
	cfg := idem.Config{Retention: 9 * 24 * time.Hour, Logger: slog.Default()}
	if _, err := idempgx.Migrate(ctx, pool, cfg); err != nil {
		panic(err)
	}
	upkeep, err := idempgx.NewMaintainer(pool, cfg, idempgx.Upkeep{})
	if err != nil {
		panic(err)
	}
	if _, err := upkeep.Maintain(ctx); err != nil {
		panic(err)
	}
	if err := upkeep.Check(ctx, idempgx.Topic{Name: "orders", Retention: 7 * 24 * time.Hour, Delay: 24 * time.Hour}); err != nil {
		panic(err)
	}
	go func() { _ = upkeep.Run(ctx, time.Hour) }()

	store, err := idem.New(idempgx.New(pool), cfg)
	if err != nil {
		panic(err)
	}
	handle := func(ctx context.Context, eventID string, cents int64) error {
		outcome, err := store.Process(ctx, idem.Event{ID: eventID, Group: "billing"}, func(ctx context.Context, tx pgx.Tx) error {
			_, err := tx.Exec(ctx, "INSERT INTO invoice (event_id, cents) VALUES ($1, $2)", eventID, cents)
			return err
		})
		if outcome.Refused() {
			slog.Error("into quarantine", "error", err)
			return nil
		}
		return err // nil: acknowledge the record
	}
	_ = handle
}

// The statements of an event that need no answer go out together with the COMMIT.
func ExampleQueue() {
	var store *idem.Store[pgx.Tx]
	charge := func(ctx context.Context, e idem.Event, account string, cents int64) (idem.Outcome, error) {
		return store.Process(ctx, e, func(_ context.Context, tx pgx.Tx) error {
			q := idempgx.Queue(tx)
			q.Queue("UPDATE account SET cents = cents - $2 WHERE id = $1", account, cents)
			q.Queue("INSERT INTO ledger (event_id, account, cents) VALUES ($1, $2, $3)", e.ID, account, -cents)
			return nil
		})
	}
	_ = charge
}
