package app

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"

	"example.com/cases/listenerdedup/reach/wiring/consumer"
	"example.com/cases/listenerdedup/reach/wiring/service"
)

// RunQuotes binds a generic worker of the consumer's package to a handler without a gate.
func RunQuotes(ctx context.Context, client *kgo.Client, pool *pgxpool.Pool) error {
	return consumer.NewTypedWorker(client, service.NewQuotes(pool).Handle).Run(ctx) // want "R-KFK-IDEM-X1"
}
