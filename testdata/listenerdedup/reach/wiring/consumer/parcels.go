package consumer

import (
	"context"

	"github.com/segmentio/kafka-go"
)

// ParcelWorker calls a func that another package binds.
type ParcelWorker struct {
	reader *kafka.Reader
	handle func(ctx context.Context, body []byte) error
}

// NewParcelWorker binds the handler.
func NewParcelWorker(reader *kafka.Reader, handle func(ctx context.Context, body []byte) error) *ParcelWorker {
	return &ParcelWorker{reader: reader, handle: handle}
}

// Run is the loop.
func (w *ParcelWorker) Run(ctx context.Context) error {
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
