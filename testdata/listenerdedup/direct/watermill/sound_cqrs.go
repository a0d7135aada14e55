package watermillcase

import (
	"context"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/components/cqrs"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// CourseLeft is decoded by the cqrs marshaler.
type CourseLeft struct {
	EventID string
	Course  string
	Student string
}

// RegisterLeavings is cqrs.NewEventHandler with a closure; sound: the decoded event's id is marked before the insert.
func RegisterLeavings(router *message.Router, brokers []string, pool *pgxpool.Pool, log watermill.LoggerAdapter) error {
	processor, err := cqrs.NewEventProcessorWithConfig(router, cqrs.EventProcessorConfig{
		GenerateSubscribeTopic: func(p cqrs.EventProcessorGenerateSubscribeTopicParams) (string, error) { return p.EventName, nil },
		SubscriberConstructor: func(p cqrs.EventProcessorSubscriberConstructorParams) (message.Subscriber, error) {
			return kafka.NewSubscriber(kafka.SubscriberConfig{Brokers: brokers, Unmarshaler: kafka.DefaultMarshaler{}, ConsumerGroup: p.HandlerName}, log)
		},
		Marshaler: cqrs.JSONMarshaler{},
	})
	if err != nil {
		return err
	}
	return processor.AddHandlers(
		cqrs.NewEventHandler("leave", func(ctx context.Context, e *CourseLeft) error {
			return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
				tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'leave') ON CONFLICT DO NOTHING`, e.EventID)
				if err != nil || tag.RowsAffected() == 0 {
					return err
				}
				_, err = tx.Exec(ctx, `INSERT INTO leavings (course, student) VALUES ($1, $2)`, e.Course, e.Student)
				return err
			})
		}),
	)
}
