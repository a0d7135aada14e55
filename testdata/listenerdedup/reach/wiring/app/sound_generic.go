package app

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"

	"example.com/cases/listenerdedup/reach/wiring/consumer"
	"example.com/cases/listenerdedup/reach/wiring/service"
)

// RunMemos binds the same generic worker; sound: this handler marks the event.
func RunMemos(ctx context.Context, client *kgo.Client, pool *pgxpool.Pool) error {
	return consumer.NewTypedWorker(client, service.NewMemos(pool).Handle).Run(ctx)
}
