// Package payments sends the outbox's calls to the payment provider.
package payments

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/idemlint/idemlint/idem/money"
	"github.com/idemlint/idemlint/idem/outbox"
)

// Request is the body of a call to the provider. It comes from the event alone, so that
// each attempt sends the same bytes.
type Request struct {
	OrderID string `json:"order_id"`
	Cents   int64  `json:"cents"`
}

// The kinds of calls, which are also the steps of an event's work: each event makes one.
const (
	charge = "charge"
	refund = "refund"
)

// Window is how long the provider remembers an idempotency key, less a margin.
const Window = 23 * time.Hour

// Charge writes the call that charges an order into the transaction of its event. The
// worker sends it once that has committed.
func Charge(ctx context.Context, tx pgx.Tx, r Request) error { return enqueue(ctx, tx, charge, r) }

// Refund is Charge for the call that gives the money back.
func Refund(ctx context.Context, tx pgx.Tx, r Request) error { return enqueue(ctx, tx, refund, r) }

func enqueue(ctx context.Context, tx pgx.Tx, kind string, r Request) error {
	body, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = outbox.Enqueue(ctx, outbox.Pgx(tx), outbox.Call{Step: kind, Kind: kind, Payload: body})
	return err
}

// Senders returns what sends the calls to the provider at url, each under the key of its
// event and step.
func Senders(url string) map[string]outbox.Sender {
	client := &http.Client{Transport: &money.Transport{}}
	post := func(path string) outbox.Sender {
		return func(ctx context.Context, a outbox.Attempt) error {
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+path, bytes.NewReader(a.Payload))
			if err != nil {
				return fmt.Errorf("%w: %w", outbox.ErrPermanent, err)
			}
			req.Header.Set("Content-Type", "application/json")
			resp, err := client.Do(req)
			if err != nil {
				return err
			}
			defer func() { _ = resp.Body.Close() }()
			// An answer that breaks off is no answer: the call is sent again, under its key.
			if _, err := io.Copy(io.Discard, resp.Body); err != nil {
				return err
			}
			return outbox.CheckResponse(resp)
		}
	}
	return map[string]outbox.Sender{charge: post("/charges"), refund: post("/refunds")}
}
