package silent

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

// RecordAges samples the age of records as a member of a group, and is a listener whose rows double.
func RecordAges(ctx context.Context, brokers []string, pool *pgxpool.Pool) error {
	reader := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "orders", GroupID: "ages"})
	defer reader.Close()
	for {
		m, err := reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		behind := time.Since(m.Time).Milliseconds()
		if _, err := pool.Exec(ctx, `INSERT INTO age_samples (topic, millis) VALUES ($1, $2)`, m.Topic, behind); err != nil { // want "R-KFK-IDEM-X1"
			return err
		}
	}
}
