package app

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"

	"example.com/cases/listenerdedup/reach/wiring/consumer"
	"example.com/cases/listenerdedup/reach/wiring/service"
)

// RunLetters binds the handler by a setter; it has no gate.
func RunLetters(ctx context.Context, reader *kafka.Reader, pool *pgxpool.Pool) error {
	w := consumer.NewSetterWorker(reader)
	w.SetHandler(service.NewLetters(pool).Handle) // want "R-KFK-IDEM-X1"
	return w.Run(ctx)
}
