package consumer

import (
	"context"
	"errors"

	"github.com/idemlint/idemlint/examples/broken/internal/billing"
	"github.com/idemlint/idemlint/examples/broken/internal/events"
	"github.com/idemlint/idemlint/examples/broken/internal/store"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

// AmendedGroup is the consumer group of Amended.
const AmendedGroup = "billing-amended"

// Amended listens to order.amended and charges what was added.
type Amended struct {
	reader *kafka.Reader
	dead   *DeadLetters
	pool   *pgxpool.Pool
}

// NewAmended reads with reader and writes with pool.
func NewAmended(reader *kafka.Reader, dead *DeadLetters, pool *pgxpool.Pool) *Amended {
	return &Amended{reader: reader, dead: dead, pool: pool}
}

// Run listens until the context ends or something fails that another start may mend.
func (l *Amended) Run(ctx context.Context) error {
	for {
		msg, err := l.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := l.handle(ctx, msg); errors.Is(err, events.ErrUnreadable) {
			if err := l.dead.Send(ctx, msg.Topic, msg.Partition, msg.Offset, msg.Key, msg.Value, err); err != nil {
				return err
			}
			if err := l.reader.CommitMessages(ctx, msg); err != nil {
				return err
			}
		} else if err != nil {
			return err
		}
	}
}

func (l *Amended) handle(ctx context.Context, msg kafka.Message) error {
	var ev events.OrderAmended
	if err := events.Decode(msg.Value, &ev); err != nil {
		return err
	}
	id, err := events.ParseID(header(msg, "event_id"))
	if err != nil {
		return err
	}
	tx, err := l.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	// R-KFK-IDEM-1, the id came from a header: the dead-letter tool that sends the amendment again drops the header, and the customer never pays for what was added.
	first, err := store.CheckAndMark(ctx, tx, id, AmendedGroup)
	if err != nil {
		return err
	}
	if first {
		if err := billing.Amend(ctx, tx, ev.OrderID, ev.ExtraCents); err != nil {
			return err
		}
	}
	// R-KFK-IDEM-3, acknowledged before the commit: a crash between the two and the amendment is never billed, for the record does not come again.
	if err := l.reader.CommitMessages(ctx, msg); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// header returns the header of that name, empty when there is none.
func header(msg kafka.Message, name string) string {
	for _, h := range msg.Headers {
		if h.Key == name {
			return string(h.Value)
		}
	}
	return ""
}
