package closure

import (
	"context"

	"github.com/twmb/franz-go/pkg/kgo"
)

// eachRecord is the package's own loop: the function it calls is known only to its callers.
func eachRecord(ctx context.Context, client *kgo.Client, fn func(r *kgo.Record) error) error {
	for {
		fetches := client.PollFetches(ctx)
		if fetches.IsClientClosed() {
			return nil
		}
		for _, r := range fetches.Records() {
			if err := fn(r); err != nil {
				return err
			}
		}
		if err := client.CommitUncommittedOffsets(ctx); err != nil {
			return err
		}
	}
}
