package commits

import (
	"context"

	"github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kgo"
)

// relay remembers offsets in a map that outlives the record, and leaves out what is
// in it.
func relay(ctx context.Context, client *kgo.Client, out *kafka.Writer) error {
	seen := make(map[int64]struct{})
	for {
		for _, r := range client.PollFetches(ctx).Records() {
			if _, ok := seen[r.Offset]; ok { // want "R-KFK-IDEM-X2"
				continue
			}
			if err := out.WriteMessages(ctx, kafka.Message{Value: r.Value}); err != nil {
				return err
			}
			seen[r.Offset] = struct{}{}
		}
	}
}
