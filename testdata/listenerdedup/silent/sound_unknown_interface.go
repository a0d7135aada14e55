package silent

import (
	"context"

	"github.com/twmb/franz-go/pkg/kgo"
)

// RelaySink is implemented by other packages only.
type RelaySink interface {
	Put(ctx context.Context, r *kgo.Record) error
}

// RelayAll hands each record to an interface without an implementation in sight.
func RelayAll(ctx context.Context, client *kgo.Client, sink RelaySink) error {
	for ctx.Err() == nil {
		for _, r := range client.PollFetches(ctx).Records() {
			if err := sink.Put(ctx, r); err != nil {
				return err
			}
		}
	}
	return nil
}
