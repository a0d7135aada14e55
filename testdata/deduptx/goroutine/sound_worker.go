package goroutine

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
	"golang.org/x/sync/errgroup"
)

type canoeRented struct {
	EventID string `json:"eventId"`
	Lake    string `json:"lake"`
}

// CanoeWorkers handles records in goroutines; right: each goroutine has its own transaction, and mark and work are in it.
type CanoeWorkers struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
	n      int
}

func NewCanoeWorkers(brokers []string, pool *pgxpool.Pool, n int) *CanoeWorkers {
	return &CanoeWorkers{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "canoes", GroupID: "lakes"}),
		pool:   pool,
		n:      n,
	}
}

func (w *CanoeWorkers) Run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	for range w.n {
		g.Go(func() error {
			for {
				m, err := w.reader.FetchMessage(ctx)
				if err != nil {
					return err
				}
				if err := w.rent(ctx, m.Value); err != nil {
					return err
				}
				if err := w.reader.CommitMessages(ctx, m); err != nil {
					return err
				}
			}
		})
	}
	return g.Wait()
}

func (w *CanoeWorkers) rent(ctx context.Context, payload []byte) error {
	var e canoeRented
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE lakes SET canoes = canoes - 1 WHERE id = $1`, e.Lake)
		return err
	})
}
