package watermillcase

import (
	"context"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/components/cqrs"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/jmoiron/sqlx"
)

// LoanTaken is decoded by the cqrs marshaler.
type LoanTaken struct {
	EventID string
	Reader  string
	Book    string
}

// loanBook implements cqrs.GroupEventHandler by hand; each delivery writes the loan down again.
type loanBook struct {
	db *sqlx.DB
}

func (b loanBook) NewEvent() any { return &LoanTaken{} }

func (b loanBook) Handle(ctx context.Context, event any) error {
	e := event.(*LoanTaken)
	_, err := b.db.NamedExecContext(ctx, `INSERT INTO loans (reader, book) VALUES (:reader, :book)`, map[string]any{"reader": e.Reader, "book": e.Book}) // want "R-KFK-IDEM-X1"
	return err
}

// RegisterLoans adds the handler to a group on Kafka.
func RegisterLoans(router *message.Router, brokers []string, db *sqlx.DB, log watermill.LoggerAdapter) error {
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
	return processor.AddHandlersGroup("loans", loanBook{db: db})
}
