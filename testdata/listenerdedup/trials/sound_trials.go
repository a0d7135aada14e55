package trials

import (
	"context"

	"github.com/twmb/franz-go/pkg/kgo"
)

// park publishes to one of two places for failed records.
func park(ctx context.Context, client *kgo.Client) error {
	for {
		for _, r := range client.PollFetches(ctx).Records() {
			topic := "orders-retry"
			if len(r.Headers) > 3 {
				topic = "orders-dlq"
			}
			if err := client.ProduceSync(ctx, &kgo.Record{Topic: topic, Value: r.Value}).FirstErr(); err != nil {
				return err
			}
		}
	}
}
