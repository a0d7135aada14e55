package consumer

import (
	"context"

	"github.com/segmentio/kafka-go"
)

// SetterWorker gets its handler by a setter, after it was made.
type SetterWorker struct {
	reader *kafka.Reader
	handle func(ctx context.Context, body []byte) error
}

// NewSetterWorker makes a worker without a handler.
func NewSetterWorker(reader *kafka.Reader) *SetterWorker { return &SetterWorker{reader: reader} }

// SetHandler binds the handler.
func (w *SetterWorker) SetHandler(h func(ctx context.Context, body []byte) error) { w.handle = h }

// Run is the loop.
func (w *SetterWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.handle(ctx, m.Value); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}
