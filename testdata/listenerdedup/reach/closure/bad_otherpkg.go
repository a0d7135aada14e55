package closure

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"

	"example.com/cases/listenerdedup/reach/closure/loop"
)

// KeepFrames hands a closure to a loop of another package; the closure inserts at every delivery.
func KeepFrames(ctx context.Context, reader *kafka.Reader, pool *pgxpool.Pool) error {
	return loop.Each(ctx, reader, func(ctx context.Context, body []byte) error { // want "R-KFK-IDEM-X1"
		_, err := pool.Exec(ctx, `INSERT INTO frames (body) VALUES ($1)`, body)
		return err
	})
}
