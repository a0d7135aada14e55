package consumer

import (
	"context"
	"encoding/json"

	"github.com/twmb/franz-go/pkg/kgo"
)

// TypedWorker is generic over the event; another package binds the func.
type TypedWorker[T any] struct {
	client *kgo.Client
	handle func(ctx context.Context, event T) error
}

// NewTypedWorker binds the handler.
func NewTypedWorker[T any](client *kgo.Client, handle func(ctx context.Context, event T) error) *TypedWorker[T] {
	return &TypedWorker[T]{client: client, handle: handle}
}

// Run is the loop.
func (w *TypedWorker[T]) Run(ctx context.Context) error {
	for {
		fetches := w.client.PollFetches(ctx)
		if fetches.IsClientClosed() {
			return nil
		}
		for _, r := range fetches.Records() {
			var event T
			if err := json.Unmarshal(r.Value, &event); err != nil {
				return err
			}
			if err := w.handle(ctx, event); err != nil {
				return err
			}
		}
	}
}
