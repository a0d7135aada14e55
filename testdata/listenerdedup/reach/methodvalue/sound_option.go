package methodvalue

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type herdCounted struct {
	EventID string `json:"eventId"`
	Meadow  string `json:"meadow"`
	Cows    int    `json:"cows"`
}

type herdOption func(*HerdWorker)

// WithHerdHandler sets the handler, as an option.
func WithHerdHandler(h func(ctx context.Context, e herdCounted) error) herdOption {
	return func(w *HerdWorker) { w.handle = h }
}

// HerdWorker gets its method value through a functional option; sound: the method marks the event before the insert.
type HerdWorker struct {
	handle func(ctx context.Context, e herdCounted) error
}

func newHerdWorker(opts ...herdOption) *HerdWorker {
	w := &HerdWorker{}
	for _, o := range opts {
		o(w)
	}
	return w
}

func (w *HerdWorker) run(ctx context.Context, reader *kafka.Reader) error {
	for {
		m, err := reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var e herdCounted
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

type herdLog struct{ pool *pgxpool.Pool }

func (l *herdLog) write(ctx context.Context, e herdCounted) error {
	return pgx.BeginFunc(ctx, l.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'herds') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO herds (meadow, cows) VALUES ($1, $2)`, e.Meadow, e.Cows)
		return err
	})
}

// CountHerds puts the worker together.
func CountHerds(ctx context.Context, reader *kafka.Reader, pool *pgxpool.Pool) error {
	l := &herdLog{pool: pool}
	return newHerdWorker(WithHerdHandler(l.write)).run(ctx, reader)
}
