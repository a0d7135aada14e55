package committed

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

type parcelSplit struct {
	EventID  string `json:"eventId"`
	District string `json:"district"`
}

// ParcelWorker carries the answer out of the closure and only logs with it; right: the work is inside.
type ParcelWorker struct {
	client *kgo.Client
	pool   *pgxpool.Pool
}

func NewParcelWorker(seeds []string, pool *pgxpool.Pool) (*ParcelWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("parcel-ledger"), kgo.ConsumeTopics("parcel.split"), kgo.DisableAutoCommit())
	if err != nil {
		return nil, err
	}
	return &ParcelWorker{client: client, pool: pool}, nil
}

func (w *ParcelWorker) Run(ctx context.Context) error {
	for {
		fetches := w.client.PollFetches(ctx)
		if fetches.IsClientClosed() {
			return nil
		}
		for iter := fetches.RecordIter(); !iter.Done(); {
			rec := iter.Next()
			if err := w.split(ctx, rec.Value); err != nil {
				return err
			}
			if err := w.client.CommitRecords(ctx, rec); err != nil {
				return err
			}
		}
	}
}

func (w *ParcelWorker) split(ctx context.Context, payload []byte) error {
	var e parcelSplit
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	var first bool
	err := pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID)
		first = tag.RowsAffected() == 1
		if err != nil || !first {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE districts SET plots = plots + 1 WHERE id = $1`, e.District)
		return err
	})
	if err != nil {
		return err
	}
	if first {
		slog.InfoContext(ctx, "plot split", "event", e.EventID, "district", e.District)
	}
	return nil
}
