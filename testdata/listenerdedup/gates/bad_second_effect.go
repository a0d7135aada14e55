package gates

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

type lockerRented struct {
	EventID string `json:"eventId"`
	Locker  string `json:"locker"`
	Cents   int    `json:"cents"`
}

// LockerWorker guards the insert and then adds the fee outside the guard.
type LockerWorker struct {
	client *kgo.Client
	pool   *pgxpool.Pool
}

func NewLockerWorker(seeds []string, pool *pgxpool.Pool) (*LockerWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("locker"), kgo.ConsumeTopics("locker.rented"))
	if err != nil {
		return nil, err
	}
	return &LockerWorker{client: client, pool: pool}, nil
}

func (w *LockerWorker) Run(ctx context.Context) error {
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

func (w *LockerWorker) handle(ctx context.Context, r *kgo.Record) error {
	var e lockerRented
	if err := json.Unmarshal(r.Value, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'lockers') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil {
			return err
		}
		if tag.RowsAffected() > 0 {
			if _, err := tx.Exec(ctx, `INSERT INTO rentals (locker) VALUES ($1)`, e.Locker); err != nil {
				return err
			}
		}
		_, err = tx.Exec(ctx, `UPDATE turnover SET cents = cents + $1`, e.Cents) // want "R-KFK-IDEM-X1"
		return err
	})
}
