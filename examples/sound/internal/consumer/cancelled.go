package consumer

import (
	"context"
	"errors"
	"log/slog"

	"github.com/idemlint/idemlint/examples/sound/internal/billing"
	"github.com/idemlint/idemlint/examples/sound/internal/events"
	"github.com/idemlint/idemlint/examples/sound/internal/store"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

// CancelledGroup is the consumer group of Cancelled.
const CancelledGroup = "billing-cancelled"

// Cancelled listens to order.cancelled and gives the total back.
type Cancelled struct {
	reader *kafka.Reader
	dead   *DeadLetters
	pool   *pgxpool.Pool
}

// NewCancelled reads with reader and writes with pool.
func NewCancelled(reader *kafka.Reader, dead *DeadLetters, pool *pgxpool.Pool) *Cancelled {
	return &Cancelled{reader: reader, dead: dead, pool: pool}
}

// Run listens until the context ends or something fails that another start may mend.
func (l *Cancelled) Run(ctx context.Context) error {
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

func (l *Cancelled) handle(ctx context.Context, msg kafka.Message) error {
	var ev events.OrderCancelled
	if err := events.Decode(msg.Value, &ev); err != nil {
		return err
	}
	id, err := events.ParseID(ev.EventID)
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, l.pool, func(tx pgx.Tx) error {
		first, err := store.TryMarkProcessed(ctx, tx, id, CancelledGroup)
		if err != nil {
			return err
		}
		if !first {
			slog.InfoContext(ctx, "duplicate", "event_id", id, "partition", msg.Partition, "offset", msg.Offset)
			return nil
		}
		return billing.Cancel(ctx, tx, id, ev.OrderID, ev.Cents)
	})
}
