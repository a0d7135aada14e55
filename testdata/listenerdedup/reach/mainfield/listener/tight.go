package listener

import (
	"context"

	"github.com/segmentio/kafka-go"
)

// TightWorker leaves its handler to whoever fills the field.
type TightWorker struct {
	Reader *kafka.Reader
	Handle func(ctx context.Context, body []byte) error
}

// Run is the loop.
func (w *TightWorker) Run(ctx context.Context) error {
	for {
		m, err := w.Reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.Handle(ctx, m.Value); err != nil {
			return err
		}
		if err := w.Reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}
