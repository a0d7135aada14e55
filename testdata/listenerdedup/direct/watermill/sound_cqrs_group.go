package watermillcase

import (
	"context"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/components/cqrs"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/jmoiron/sqlx"
)

// FineIssued is decoded by the cqrs marshaler.
type FineIssued struct {
	EventID string
	Reader  string
	Cents   int
}

// fineBook implements cqrs.GroupEventHandler by hand; sound: it returns on a known event id before the fine is added.
type fineBook struct {
	db *sqlx.DB
}

func (b fineBook) NewEvent() any { return &FineIssued{} }

func (b fineBook) Handle(ctx context.Context, event any) error {
	e := event.(*FineIssued)
	tx, err := b.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'fines') ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE readers SET debt = debt + $1 WHERE card = $2`, e.Cents, e.Reader); err != nil {
		return err
	}
	return tx.Commit()
}

// RegisterFines adds the handler to a group on Kafka.
func RegisterFines(router *message.Router, brokers []string, db *sqlx.DB, log watermill.LoggerAdapter) error {
	processor, err := cqrs.NewEventGroupProcessorWithConfig(router, cqrs.EventGroupProcessorConfig{
		GenerateSubscribeTopic: func(cqrs.EventGroupProcessorGenerateSubscribeTopicParams) (string, error) { return "library", nil },
		SubscriberConstructor: func(p cqrs.EventGroupProcessorSubscriberConstructorParams) (message.Subscriber, error) {
			return kafka.NewSubscriber(kafka.SubscriberConfig{Brokers: brokers, Unmarshaler: kafka.DefaultMarshaler{}, ConsumerGroup: p.EventGroupName}, log)
		},
		Marshaler: cqrs.JSONMarshaler{},
	})
	if err != nil {
		return err
	}
	return processor.AddHandlersGroup("fines", fineBook{db: db})
}
