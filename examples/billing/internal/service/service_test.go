//go:build unix

package service

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/consumer"
	"github.com/idemlint/idemlint/idem/idempgx"
	"github.com/idemlint/idemlint/idem/idemtest"
	"github.com/idemlint/idemlint/idem/idemtest/pglocal"

	"github.com/idemlint/idemlint/examples/billing/internal/events"
)

// TestHandlersSurvive tries what the service does with a record, on both of its ways, for
// what Kafka and a network can do to it.
func TestHandlersSurvive(t *testing.T) {
	server, err := pglocal.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	pool, err := pgxpool.New(t.Context(), server.DSN())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	cfg := idem.Config{Retention: Retention, Backoff: time.Millisecond}
	if err := Prepare(t.Context(), pool, cfg); err != nil {
		t.Fatal(err)
	}
	service := Config{Group: "billing", Logger: slog.New(slog.NewTextHandler(io.Discard, nil))}

	placed, err := events.NewPlaced("order-1", "a customer", 1000)
	if err != nil {
		t.Fatal(err)
	}
	cancelled, err := events.NewCancelled("order-1", 1000)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		table string
		event any
		// deliver makes a Deliver of a process.
		deliver func(p *pgxpool.Pool, store *idem.Store[pgx.Tx]) (func(context.Context, []byte) error, error)
	}{
		{"charge", placed, func(_ *pgxpool.Pool, store *idem.Store[pgx.Tx]) (func(context.Context, []byte) error, error) {
			processor, err := newCharges(store, service, &deadLetters{})
			return func(ctx context.Context, value []byte) error {
				_, err := processor.Process(ctx, consumer.Record{Value: value})
				return err
			}, err
		}},
		{"refund", cancelled, func(p *pgxpool.Pool, store *idem.Store[pgx.Tx]) (func(context.Context, []byte) error, error) {
			r := &refunds{pool: p, store: store, group: "billing-refunds", logger: service.Logger}
			return func(ctx context.Context, value []byte) error { return r.handle(ctx, &kgo.Record{Value: value}) }, nil
		}},
	}
	for _, tt := range tests {
		t.Run(tt.table, func(t *testing.T) {
			value, err := json.Marshal(tt.event)
			if err != nil {
				t.Fatal(err)
			}
			idemtest.Test(t, idemtest.Consumer[[]byte]{
				DSN:     server.DSN(),
				Records: [][]byte{value},
				Seeds:   5,
				Start: func(ctx context.Context, dsn string) (idemtest.Process[[]byte], error) {
					p, err := pgxpool.New(ctx, dsn)
					if err != nil {
						return idemtest.Process[[]byte]{}, err
					}
					store, err := idem.New(idempgx.New(p), cfg)
					if err != nil {
						return idemtest.Process[[]byte]{}, err
					}
					deliver, err := tt.deliver(p, store)
					return idemtest.Process[[]byte]{Deliver: idemtest.Each(deliver), Stop: p.Close}, err
				},
				Reset: func(ctx context.Context) error {
					_, err := pool.Exec(ctx, `DELETE FROM processed_event; DELETE FROM idem_outbox; DELETE FROM `+tt.table)
					return err
				},
				Check: func(ctx context.Context) error {
					var rows, calls int
					err := pool.QueryRow(ctx, `SELECT (SELECT count(*) FROM `+tt.table+`), (SELECT count(*) FROM idem_outbox)`).Scan(&rows, &calls)
					if err == nil && (rows != 1 || calls != 1) {
						err = fmt.Errorf("%d rows in %s and %d calls in the outbox, want 1 of each", rows, tt.table, calls)
					}
					return err
				},
			})
		})
	}
}
