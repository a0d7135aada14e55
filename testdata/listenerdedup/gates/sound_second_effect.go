package gates

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

type cabinRented struct {
	EventID string `json:"eventId"`
	Cabin   string `json:"cabin"`
	Cents   int    `json:"cents"`
}

// CabinWorker is sound: both statements are inside the branch of the first time.
type CabinWorker struct {
	client *kgo.Client
	pool   *pgxpool.Pool
}

func NewCabinWorker(seeds []string, pool *pgxpool.Pool) (*CabinWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("cabin"), kgo.ConsumeTopics("cabin.rented"))
	if err != nil {
		return nil, err
	}
	return &CabinWorker{client: client, pool: pool}, nil
}

func (w *CabinWorker) Run(ctx context.Context) error {
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

func (w *CabinWorker) handle(ctx context.Context, r *kgo.Record) error {
	var e cabinRented
	if err := json.Unmarshal(r.Value, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'cabins') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil {
			return err
		}
		if tag.RowsAffected() > 0 {
			if _, err := tx.Exec(ctx, `INSERT INTO rentals (cabin) VALUES ($1)`, e.Cabin); err != nil {
				return err
			}
			if _, err = tx.Exec(ctx, `UPDATE turnover SET cents = cents + $1`, e.Cents); err != nil {
				return err
			}
		}
		return nil
	})
}
