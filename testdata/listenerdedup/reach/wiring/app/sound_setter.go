package app

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"

	"example.com/cases/listenerdedup/reach/wiring/consumer"
	"example.com/cases/listenerdedup/reach/wiring/service"
)

// RunStamps binds the handler by the same setter; sound: it marks the event.
func RunStamps(ctx context.Context, reader *kafka.Reader, pool *pgxpool.Pool) error {
	w := consumer.NewSetterWorker(reader)
	w.SetHandler(service.NewStamps(pool).Handle)
	return w.Run(ctx)
}
