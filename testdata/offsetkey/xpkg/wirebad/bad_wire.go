// Package wirebad binds handlers that gate on what the runner made of the offset.
package wirebad

import (
	"context"

	"example.com/cases/offsetkey/xpkg/orders"
	"example.com/cases/offsetkey/xpkg/runner"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kgo"
)

// RunOrders hands over a method value.
func RunOrders(ctx context.Context, reader *kafka.Reader, pool *pgxpool.Pool) error {
	svc := &orders.ByName{Pool: pool}
	return runner.New(reader, svc.Handle).Run(ctx) // want "R-KFK-IDEM-X2"
}

// RunParcels hands over an implementation of the runner's interface.
func RunParcels(ctx context.Context, cl *kgo.Client, pool *pgxpool.Pool) error {
	loop := runner.NewLoop(cl, &orders.PositionBook{Pool: pool}) // want "R-KFK-IDEM-X2"
	return loop.Run(ctx)
}
