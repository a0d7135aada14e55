package consumer

import (
	"context"
	"errors"
	"log/slog"

	"github.com/idemlint/idemlint/examples/broken/internal/billing"
	"github.com/idemlint/idemlint/examples/broken/internal/events"
	"github.com/idemlint/idemlint/examples/broken/internal/store"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

// RenewedGroup is the consumer group of Renewed.
const RenewedGroup = "billing-renewed"

// Renewed listens to order.renewed and charges the next period.
type Renewed struct {
	reader *kafka.Reader
	dead   *DeadLetters
	pool   *pgxpool.Pool
}

// NewRenewed reads with reader and writes with pool.
func NewRenewed(reader *kafka.Reader, dead *DeadLetters, pool *pgxpool.Pool) *Renewed {
	return &Renewed{reader: reader, dead: dead, pool: pool}
}

// Run listens until the context ends or something fails that another start may mend.
func (l *Renewed) Run(ctx context.Context) error {
	for {
		msg, err := l.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := l.handle(ctx, msg); errors.Is(err, events.ErrUnreadable) {
			if err := l.dead.Send(ctx, msg.Topic, msg.Partition, msg.Offset, msg.Key, msg.Value, err); err != nil {
				return err
			}
		} else if err != nil {
			return err
		}
		// The transaction is committed by now; a crash before this line only brings a duplicate.
		if err := l.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}

func (l *Renewed) handle(ctx context.Context, msg kafka.Message) error {
	var ev events.OrderRenewed
	if err := events.Decode(msg.Value, &ev); err != nil {
		return err
	}
	id, err := events.ParseID(ev.EventID)
	if err != nil {
		return err
	}
	// R-KFK-IDEM-3, the gate is on the pool and the writes in a transaction: if they fail, the next delivery is a "duplicate" and the renewal is never billed.
	first, err := store.TryMarkProcessed(ctx, l.pool, id, RenewedGroup)
	if err != nil {
		return err
	}
	if !first {
		slog.InfoContext(ctx, "duplicate", "event_id", id, "partition", msg.Partition, "offset", msg.Offset)
		return nil
	}
	return pgx.BeginFunc(ctx, l.pool, func(tx pgx.Tx) error {
		return billing.Renew(ctx, tx, ev.OrderID, ev.Cents)
	})
}
