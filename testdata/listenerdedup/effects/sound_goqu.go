package effects

import (
	"context"
	"encoding/json"

	"github.com/doug-martin/goqu/v9"
	"github.com/twmb/franz-go/pkg/kgo"
)

type silkSpun struct {
	EventID string `json:"eventId"`
	Farm    string `json:"farm"`
	Kilos   int    `json:"kilos"`
}

// SilkWorker is sound: an insert with goqu stands behind the mark in its own transaction.
type SilkWorker struct {
	client *kgo.Client
	db     *goqu.Database
}

func NewSilkWorker(seeds []string, db *goqu.Database) (*SilkWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("silk"), kgo.ConsumeTopics("silk.spun"))
	if err != nil {
		return nil, err
	}
	return &SilkWorker{client: client, db: db}, nil
}

func (w *SilkWorker) Run(ctx context.Context) error {
	for {
		fetches := w.client.PollFetches(ctx)
		if fetches.IsClientClosed() {
			return nil
		}
		for _, r := range fetches.Records() {
			if err := w.handle(ctx, r); err != nil {
				return err
			}
		}
		if err := w.client.CommitUncommittedOffsets(ctx); err != nil {
			return err
		}
	}
}

func (w *SilkWorker) handle(ctx context.Context, r *kgo.Record) error {
	var e silkSpun
	if err := json.Unmarshal(r.Value, &e); err != nil {
		return err
	}
	return w.db.WithTx(func(tx *goqu.TxDatabase) error {
		res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'silk') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return err
		}
		_, err = tx.Insert("bales").Rows(goqu.Record{"farm": e.Farm, "kilos": e.Kilos}).Executor().ExecContext(ctx)
		return err
	})
}
