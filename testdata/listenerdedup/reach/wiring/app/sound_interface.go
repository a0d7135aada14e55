package app

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"

	"example.com/cases/listenerdedup/reach/wiring/consumer"
	"example.com/cases/listenerdedup/reach/wiring/service"
)

// RunReceipts binds an interface of the consumer's package; sound: the service marks the event.
func RunReceipts(ctx context.Context, reader *kafka.Reader, pool *pgxpool.Pool) error {
	svc := service.NewReceipts(pool)
	w := consumer.NewReceiptWorker(reader, svc)
	return w.Run(ctx)
}

// RunOrders binds a service without a gate; sound: the consumer marks the event before it calls.
func RunOrders(ctx context.Context, reader *kafka.Reader, pool *pgxpool.Pool) error {
	w := consumer.NewOrderWorker(reader, pool, service.NewOrders(pool))
	return w.Run(ctx)
}
