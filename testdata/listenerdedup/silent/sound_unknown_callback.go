package silent

import (
	"context"

	"github.com/segmentio/kafka-go"
)

// RelayWorker calls a func that nobody binds in sight; it is judged where that is known.
type RelayWorker struct {
	reader *kafka.Reader
	next   func(ctx context.Context, body []byte) error
}

// NewRelayWorker takes the func.
func NewRelayWorker(reader *kafka.Reader, next func(ctx context.Context, body []byte) error) *RelayWorker {
	return &RelayWorker{reader: reader, next: next}
}

// Run is the loop.
func (w *RelayWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.next(ctx, m.Value); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}
