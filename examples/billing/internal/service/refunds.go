package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/idemlint/idemlint/idem"

	"github.com/idemlint/idemlint/examples/billing/internal/events"
	"github.com/idemlint/idemlint/examples/billing/internal/payments"
)

// refunds consumes the cancellations with a loop and a transaction of its own, as a
// service does that has both already: the store's part is TryMarkProcessed.
type refunds struct {
	client *kgo.Client
	pool   *pgxpool.Pool
	store  *idem.Store[pgx.Tx]
	group  string
	dead   *deadLetters
	logger *slog.Logger
}

func newRefunds(pool *pgxpool.Pool, store *idem.Store[pgx.Tx], cfg Config, dead *deadLetters) (*refunds, error) {
	r := &refunds{pool: pool, store: store, group: cfg.Group + "-refunds", dead: dead, logger: cfg.Logger}
	var err error
	r.client, err = kgo.NewClient(append(cfg.client(cfg.Cancelled),
		kgo.ConsumerGroup(r.group), kgo.DisableAutoCommit(), kgo.BlockRebalanceOnPoll())...)
	if err != nil {
		return nil, fmt.Errorf("service: the consumer of cancellations: %w", err)
	}
	return r, nil
}

// run consumes until ctx is done. A record is acknowledged when its transaction is over.
func (r *refunds) run(ctx context.Context) error {
	defer r.client.CloseAllowingRebalance()
	for {
		fetches := r.client.PollRecords(ctx, 100)
		if ctx.Err() != nil {
			return nil
		}
		fetches.EachError(func(topic string, partition int32, err error) {
			r.logger.ErrorContext(ctx, "fetch", "topic", topic, "partition", partition, "error", err)
		})
		for _, record := range fetches.Records() {
			if err := r.persist(ctx, record); err != nil {
				return nil // told to stop: what is not acknowledged comes again
			}
		}
		if err := r.client.CommitRecords(ctx, fetches.Records()...); err != nil {
			r.logger.WarnContext(ctx, "the offsets are not committed, the records may come again", "error", err)
		}
		r.client.AllowRebalance()
	}
}

// persist handles a record until it succeeds: nothing is skipped, an outage holds the
// partition up. It returns an error only when ctx is done.
func (r *refunds) persist(ctx context.Context, record *kgo.Record) error {
	for {
		err := r.handle(ctx, record)
		if err == nil {
			return nil
		}
		r.logger.WarnContext(ctx, "the cancellation is tried again", "error", err)
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// handle does the work of one record once, whatever becomes of its acknowledgement.
func (r *refunds) handle(ctx context.Context, record *kgo.Record) error {
	var e events.Cancelled
	if err := json.Unmarshal(record.Value, &e); err != nil {
		return r.dead.send(ctx, record.Key, record.Value, err)
	}
	event := idem.Event{ID: e.EventID, Group: r.group}
	processed := false
	err := pgx.BeginFunc(ctx, r.pool, func(tx pgx.Tx) error {
		first, err := r.store.TryMarkProcessed(ctx, tx, e.EventID, r.group)
		if err != nil {
			return err
		}
		if !first {
			return nil
		}
		processed = true
		return refundOrder(idem.WithEvent(ctx, event), tx, e)
	})
	// The store has not seen the commit, so it tells its observer of duplicates alone.
	if observe := r.store.Config().Observer.Outcome; err == nil && processed && observe != nil {
		observe(ctx, event, idem.Processed, 0)
	}
	if idem.Refusal(err).Refused() || errors.Is(err, idem.ErrInvalidEvent) {
		return r.dead.send(ctx, record.Key, record.Value, err)
	}
	return err
}

// refundOrder does the work of a cancellation in the transaction that records the event.
func refundOrder(ctx context.Context, tx pgx.Tx, e events.Cancelled) error {
	_, err := tx.Exec(ctx, `INSERT INTO refund (event_id, order_id, cents) VALUES ($1, $2, $3)`, e.EventID, e.OrderID, e.Cents)
	if err != nil {
		return err
	}
	return payments.Refund(ctx, tx, payments.Request{OrderID: e.OrderID, Cents: e.Cents})
}
