package app

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"

	"example.com/cases/listenerdedup/reach/wiring/consumer"
	"example.com/cases/listenerdedup/reach/wiring/service"
)

// RunCrates binds a func of the consumer's package to a method value without a gate.
func RunCrates(ctx context.Context, reader *kafka.Reader, pool *pgxpool.Pool) error {
	svc := service.NewCrates(pool)
	w := consumer.NewCrateWorker(reader, svc.Handle) // want "R-KFK-IDEM-X1"
	return w.Run(ctx)
}
