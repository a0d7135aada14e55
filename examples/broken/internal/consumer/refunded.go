package consumer

import (
	"context"
	"errors"

	"github.com/idemlint/idemlint/examples/broken/internal/billing"
	"github.com/idemlint/idemlint/examples/broken/internal/events"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

// RefundedGroup is the consumer group of Refunded.
const RefundedGroup = "billing-refunded"

// Refunded listens to order.refunded, with franz-go, and pays back.
type Refunded struct {
	client *kgo.Client
	dead   *DeadLetters
	pool   *pgxpool.Pool
}

// NewRefunded polls client and writes with pool.
func NewRefunded(client *kgo.Client, dead *DeadLetters, pool *pgxpool.Pool) *Refunded {
	return &Refunded{client: client, dead: dead, pool: pool}
}

// Run listens until the context ends or something fails that another start may mend.
func (l *Refunded) Run(ctx context.Context) error {
	for {
		fetches := l.client.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		for _, r := range fetches.Records() {
			if err := l.handle(ctx, r); errors.Is(err, events.ErrUnreadable) {
				if err := l.dead.Send(ctx, r.Topic, int(r.Partition), r.Offset, r.Key, r.Value, err); err != nil {
					return err
				}
			} else if err != nil {
				return err
			}
			// The transaction is committed by now; a crash before this line only brings a duplicate.
			if err := l.client.CommitRecords(ctx, r); err != nil {
				return err
			}
		}
	}
}

func (l *Refunded) handle(ctx context.Context, r *kgo.Record) error {
	var ev events.OrderRefunded
	if err := events.Decode(r.Value, &ev); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, l.pool, func(tx pgx.Tx) error {
		// R-KFK-IDEM-X1, no gate at all: every rebalance and every replay pays the same refund out once more.
		return billing.Refund(ctx, tx, ev.OrderID, ev.Cents)
	})
}
