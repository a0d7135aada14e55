package consumer

import (
	"context"

	"github.com/segmentio/kafka-go"
)

// CrateWorker calls a func that another package binds.
type CrateWorker struct {
	reader *kafka.Reader
	handle func(ctx context.Context, body []byte) error
}

// NewCrateWorker binds the handler.
func NewCrateWorker(reader *kafka.Reader, handle func(ctx context.Context, body []byte) error) *CrateWorker {
	return &CrateWorker{reader: reader, handle: handle}
}

// Run is the loop.
func (w *CrateWorker) Run(ctx context.Context) error {
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
