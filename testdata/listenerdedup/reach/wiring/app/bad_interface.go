package app

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"

	"example.com/cases/listenerdedup/reach/wiring/consumer"
	"example.com/cases/listenerdedup/reach/wiring/service"
)

// RunInvoices binds an interface of the consumer's package to a service without a gate.
func RunInvoices(ctx context.Context, reader *kafka.Reader, pool *pgxpool.Pool) error {
	svc := service.NewInvoices(pool)
	w := consumer.NewInvoiceWorker(reader, svc) // want "R-KFK-IDEM-X1"
	return w.Run(ctx)
}
