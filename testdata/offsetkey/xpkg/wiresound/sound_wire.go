// Package wiresound binds handlers to the same runner that look into the payload for their key.
package wiresound

import (
	"context"

	"example.com/cases/offsetkey/xpkg/orders"
	"example.com/cases/offsetkey/xpkg/runner"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kgo"
)

// RunOrders hands over a method value whose gate takes the payload's id; the delivery's name is only logged.
func RunOrders(ctx context.Context, reader *kafka.Reader, pool *pgxpool.Pool) error {
	svc := &orders.ByEvent{Pool: pool}
	return runner.New(reader, svc.Handle).Run(ctx)
}

// RunParcels hands over an implementation that stores the position as a column and gates on the payload's id.
func RunParcels(ctx context.Context, cl *kgo.Client, pool *pgxpool.Pool) error {
	loop := runner.NewLoop(cl, &orders.EventBook{Pool: pool})
	return loop.Run(ctx)
}
