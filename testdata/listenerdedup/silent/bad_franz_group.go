package silent

import (
	"context"
	"database/sql"

	"github.com/twmb/franz-go/pkg/kgo"
)

// KeepTopic is the same client in a consumer group: a listener.
func KeepTopic(ctx context.Context, seeds []string, db *sql.DB) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("clicks"), kgo.ConsumeTopics("clicks"))
	if err != nil {
		return err
	}
	defer client.Close()
	for ctx.Err() == nil {
		for _, r := range client.PollFetches(ctx).Records() {
			if _, err := db.ExecContext(ctx, `INSERT INTO click_store (body) VALUES ($1)`, r.Value); err != nil { // want "R-KFK-IDEM-X1"
				return err
			}
		}
	}
	return nil
}
