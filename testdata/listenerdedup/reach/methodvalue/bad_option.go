package methodvalue

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type flockCounted struct {
	EventID string `json:"eventId"`
	Meadow  string `json:"meadow"`
	Sheep   int    `json:"sheep"`
}

type flockOption func(*FlockWorker)

// WithFlockHandler sets the handler, as an option.
func WithFlockHandler(h func(ctx context.Context, e flockCounted) error) flockOption {
	return func(w *FlockWorker) { w.handle = h }
}

// FlockWorker gets its method value through a functional option; the method inserts at every delivery.
type FlockWorker struct {
	handle func(ctx context.Context, e flockCounted) error
}

func newFlockWorker(opts ...flockOption) *FlockWorker {
	w := &FlockWorker{}
	for _, o := range opts {
		o(w)
	}
	return w
}

func (w *FlockWorker) run(ctx context.Context, reader *kafka.Reader) error {
	for {
		m, err := reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var e flockCounted
		if err := json.Unmarshal(m.Value, &e); err != nil {
			return err
		}
		if err := w.handle(ctx, e); err != nil {
			return err
		}
		if err := reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

type flockLog struct{ pool *pgxpool.Pool }

func (l *flockLog) write(ctx context.Context, e flockCounted) error {
	_, err := l.pool.Exec(ctx, `INSERT INTO flocks (meadow, sheep) VALUES ($1, $2)`, e.Meadow, e.Sheep) // want "R-KFK-IDEM-X1"
	return err
}

// CountFlocks puts the worker together.
func CountFlocks(ctx context.Context, reader *kafka.Reader, pool *pgxpool.Pool) error {
	l := &flockLog{pool: pool}
	return newFlockWorker(WithFlockHandler(l.write)).run(ctx, reader)
}
