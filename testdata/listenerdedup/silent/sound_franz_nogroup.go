package silent

import (
	"context"
	"database/sql"

	"github.com/twmb/franz-go/pkg/kgo"
)

// TailTopic is a franz-go client without a consumer group that keeps a sample of a topic; a tool, not a listener.
func TailTopic(ctx context.Context, seeds []string, db *sql.DB) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumeTopics("clicks"))
	if err != nil {
		return err
	}
	defer client.Close()
	for ctx.Err() == nil {
		for _, r := range client.PollFetches(ctx).Records() {
			if _, err := db.ExecContext(ctx, `INSERT INTO click_sample (body) VALUES ($1)`, r.Value); err != nil {
				return err
			}
		}
	}
	return nil
}
