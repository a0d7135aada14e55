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

// PlacedGroup is the consumer group of Placed.
const PlacedGroup = "billing-placed"

// Placed listens to order.placed and charges the total.
type Placed struct {
	reader *kafka.Reader
	dead   *DeadLetters
	pool   *pgxpool.Pool
}

// NewPlaced reads with reader and writes with pool.
func NewPlaced(reader *kafka.Reader, dead *DeadLetters, pool *pgxpool.Pool) *Placed {
	return &Placed{reader: reader, dead: dead, pool: pool}
}

// Run listens until the context ends or something fails that another start may mend.
func (l *Placed) Run(ctx context.Context) error {
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

func (l *Placed) handle(ctx context.Context, msg kafka.Message) error {
	var ev events.OrderPlaced
	if err := events.Decode(msg.Value, &ev); err != nil {
		return err
	}
	id, err := events.ParseID(ev.EventID)
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, l.pool, func(tx pgx.Tx) error {
		// R-KFK-IDEM-X1, the gate comes after the effect: by the time it says "duplicate" the customer is charged a second time.
		if err := billing.Charge(ctx, tx, ev.OrderID, ev.Cents); err != nil {
			return err
		}
		first, err := store.TryMarkProcessed(ctx, tx, id, PlacedGroup)
		if err != nil {
			return err
		}
		if !first {
			slog.InfoContext(ctx, "duplicate", "event_id", id, "partition", msg.Partition, "offset", msg.Offset)
		}
		return nil
	})
}
