// Package payments posts the payments that billing left in the outbox.
package payments

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemlint/idemlint/examples/sound/internal/events"
)

// Worker is the only one that talks to the payment provider.
type Worker struct {
	pool   *pgxpool.Pool
	client *http.Client
	url    string
}

// NewWorker posts to url.
func NewWorker(pool *pgxpool.Pool, client *http.Client, url string) *Worker {
	return &Worker{pool: pool, client: client, url: url}
}

type payment struct {
	ID      int64
	Key     string
	OrderID string
	Cents   int64
}

// Run posts what is due, again and again until the context ends.
func (w *Worker) Run(ctx context.Context) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		if err := w.postDue(ctx); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

func (w *Worker) postDue(ctx context.Context) error {
	rows, err := w.pool.Query(ctx, "SELECT id, payment_key, order_id, cents FROM payment_outbox WHERE sent_at IS NULL AND refused IS NULL ORDER BY id LIMIT 100")
	if err != nil {
		return err
	}
	due, err := pgx.CollectRows(rows, pgx.RowToStructByPos[payment])
	if err != nil {
		return err
	}
	for _, p := range due {
		status, err := w.charge(ctx, p)
		switch {
		case err != nil || status == http.StatusConflict || status == http.StatusTooManyRequests || status >= 500:
			// Nobody knows whether it was carried out: the same key goes out again.
			slog.WarnContext(ctx, "payment is tried again", "id", p.ID, "status", status, "error", err)
		case status >= 400:
			if _, err := w.pool.Exec(ctx, "UPDATE payment_outbox SET refused = $2 WHERE id = $1", p.ID, http.StatusText(status)); err != nil {
				return err
			}
		default:
			if err := w.settle(ctx, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// settle notes that the payment was taken, and leaves the event that says so in the outbox.
func (w *Worker) settle(ctx context.Context, p payment) error {
	ev := events.NewPaymentSettled(p.OrderID, p.Cents)
	payload, err := json.Marshal(ev)
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "UPDATE payment_outbox SET sent_at = now() WHERE id = $1", p.ID); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "INSERT INTO event_outbox (event_id, payload) VALUES ($1, $2)", ev.EventID, payload)
		return err
	})
}

// charge asks the provider for the payment.
func (w *Worker) charge(ctx context.Context, p payment) (int, error) {
	body, err := json.Marshal(map[string]any{"order_id": p.OrderID, "cents": p.Cents})
	if err != nil {
		return 0, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.url, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Idempotency-Key", p.Key)
	resp, err := w.client.Do(req)
	if err != nil {
		return 0, fmt.Errorf("post payment %d: %w", p.ID, err)
	}
	return resp.StatusCode, resp.Body.Close()
}
