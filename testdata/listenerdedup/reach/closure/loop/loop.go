package loop

import (
	"context"

	"github.com/segmentio/kafka-go"
)

// Each fetches records of a group and hands the body of each one to fn.
func Each(ctx context.Context, reader *kafka.Reader, fn func(ctx context.Context, body []byte) error) error {
	for {
		m, err := reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := fn(ctx, m.Value); err != nil {
			return err
		}
		if err := reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}
