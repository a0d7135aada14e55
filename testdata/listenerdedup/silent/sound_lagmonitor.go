package silent

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

// WatchLag samples the age of records of one partition without being in a group; a monitor, not a listener.
func WatchLag(ctx context.Context, brokers []string, pool *pgxpool.Pool) error {
	reader := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "orders", Partition: 0})
	defer reader.Close()
	for {
		m, err := reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		behind := time.Since(m.Time).Milliseconds()
		if _, err := pool.Exec(ctx, `INSERT INTO lag_samples (topic, millis) VALUES ($1, $2)`, m.Topic, behind); err != nil {
			return err
		}
	}
}
