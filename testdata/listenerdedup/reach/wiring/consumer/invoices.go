package consumer

import (
	"context"

	"github.com/segmentio/kafka-go"
)

// InvoiceHandler is bound by whoever makes the worker.
type InvoiceHandler interface {
	Handle(ctx context.Context, body []byte) error
}

// InvoiceWorker calls an interface that another package binds; nothing is to be said here.
type InvoiceWorker struct {
	reader *kafka.Reader
	handle InvoiceHandler
}

// NewInvoiceWorker binds the handler.
func NewInvoiceWorker(reader *kafka.Reader, handle InvoiceHandler) *InvoiceWorker {
	return &InvoiceWorker{reader: reader, handle: handle}
}

// Run is the loop.
func (w *InvoiceWorker) Run(ctx context.Context) error {
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
