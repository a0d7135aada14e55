package app

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"

	"example.com/cases/listenerdedup/reach/wiring/consumer"
	"example.com/cases/listenerdedup/reach/wiring/service"
)

// RunReturns binds a service without a gate to a consumer whose gate comes too late.
func RunReturns(ctx context.Context, reader *kafka.Reader, pool *pgxpool.Pool) error {
	w := consumer.NewReturnWorker(reader, pool, service.NewReturns(pool)) // want "R-KFK-IDEM-X1"
	return w.Run(ctx)
}
