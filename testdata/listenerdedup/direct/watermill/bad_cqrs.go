package watermillcase

import (
	"context"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/components/cqrs"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/jackc/pgx/v5/pgxpool"
)

// CourseJoined is decoded by the cqrs marshaler.
type CourseJoined struct {
	EventID string
	Course  string
	Student string
}

// RegisterCourses is cqrs.NewEventHandler with a closure on an EventProcessor; each delivery enrols the student again.
func RegisterCourses(router *message.Router, brokers []string, pool *pgxpool.Pool, log watermill.LoggerAdapter) error {
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
		cqrs.NewEventHandler("enrol", func(ctx context.Context, e *CourseJoined) error {
			_, err := pool.Exec(ctx, `INSERT INTO enrolments (course, student) VALUES ($1, $2)`, e.Course, e.Student) // want "R-KFK-IDEM-X1"
			return err
		}),
	)
}
