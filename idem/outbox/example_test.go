package outbox_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/idemlint/idemlint/idem/money"
	"github.com/idemlint/idemlint/idem/outbox"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
)

// The work of an event: ctx carries the event and tx its mark, as Process of a store hands
// them over. The charge is written where the order is.
func ExampleEnqueue() {
	type order struct {
		ID    string `json:"id"`
		Cents int64  `json:"cents"`
	}
	work := func(ctx context.Context, tx pgx.Tx, o order) error {
		if _, err := tx.Exec(ctx, `UPDATE orders SET state = 'charging' WHERE id = $1`, o.ID); err != nil {
			return err
		}
		body, err := json.Marshal(o)
		if err != nil {
			return err
		}
		_, err = outbox.Enqueue(ctx, outbox.Pgx(tx), outbox.Call{Step: "charge", Kind: "charge", Payload: body})
		return err
	}
	_ = work
}

func ExampleWorker() {
	run := func(ctx context.Context, pool *pgxpool.Pool) error {
		db := stdlib.OpenDBFromPool(pool)
		if err := outbox.Migrate(ctx, db); err != nil {
			return err
		}
		client := &http.Client{Transport: &money.Transport{}}
		worker, err := outbox.NewWorker(db, outbox.Config{
			Guard: money.Guard{Window: 23 * time.Hour}, // the provider forgets after 24
			Senders: map[string]outbox.Sender{
				"charge": func(ctx context.Context, a outbox.Attempt) error {
					req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://provider.example/charges", bytes.NewReader(a.Payload))
					if err != nil {
						return fmt.Errorf("%w: %w", outbox.ErrPermanent, err)
					}
					resp, err := client.Do(req)
					if err != nil {
						return err
					}
					defer func() { _ = resp.Body.Close() }()
					return outbox.CheckResponse(resp)
				},
			},
			OnDead: func(ctx context.Context, a outbox.Attempt, err error) {
				slog.ErrorContext(ctx, "a person must look", "call", a, "err", err)
			},
		})
		if err != nil {
			return err
		}
		return worker.Run(ctx)
	}
	_ = run
}
