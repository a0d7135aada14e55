package committed

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

type plotSold struct {
	EventID  string `json:"eventId"`
	District string `json:"district"`
}

// PlotWorker carries only the answer out of the closure and writes when its transaction is over.
type PlotWorker struct {
	client *kgo.Client
	pool   *pgxpool.Pool
}

func NewPlotWorker(seeds []string, pool *pgxpool.Pool) (*PlotWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("plot-ledger"), kgo.ConsumeTopics("plot.sold"), kgo.DisableAutoCommit())
	if err != nil {
		return nil, err
	}
	return &PlotWorker{client: client, pool: pool}, nil
}

func (w *PlotWorker) Run(ctx context.Context) error {
	for {
		fetches := w.client.PollFetches(ctx)
		if fetches.IsClientClosed() {
			return nil
		}
		for iter := fetches.RecordIter(); !iter.Done(); {
			rec := iter.Next()
			if err := w.sell(ctx, rec.Value); err != nil {
				return err
			}
			if err := w.client.CommitRecords(ctx, rec); err != nil {
				return err
			}
		}
	}
}

func (w *PlotWorker) sell(ctx context.Context, payload []byte) error {
	var e plotSold
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	var first bool
	err := pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID)
		first = tag.RowsAffected() == 1
		return err
	})
	if err != nil {
		return err
	}
	if first {
		_, err = w.pool.Exec(ctx, `UPDATE districts SET plots = plots - 1 WHERE id = $1`, e.District) // want "R-KFK-IDEM-3"
	}
	return err
}
