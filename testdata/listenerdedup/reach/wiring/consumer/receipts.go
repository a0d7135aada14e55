package consumer

import (
	"context"

	"github.com/segmentio/kafka-go"
)

// ReceiptHandler is bound by whoever makes the worker.
type ReceiptHandler interface {
	Handle(ctx context.Context, body []byte) error
}

// ReceiptWorker calls an interface that another package binds.
type ReceiptWorker struct {
	reader *kafka.Reader
	handle ReceiptHandler
}

// NewReceiptWorker binds the handler.
func NewReceiptWorker(reader *kafka.Reader, handle ReceiptHandler) *ReceiptWorker {
	return &ReceiptWorker{reader: reader, handle: handle}
}

// Run is the loop.
func (w *ReceiptWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.handle.Handle(ctx, m.Value); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}
