package guarded

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

type topupBooked struct {
	EventID   string `json:"eventId"`
	Reference string `json:"reference"`
	Account   string `json:"account"`
	Cents     int64  `json:"cents"`
}

// TopupWorker inserts if absent, but adds to the balance in either case.
type TopupWorker struct {
	client *kgo.Client
	pool   *pgxpool.Pool
}

func NewTopupWorker(seeds []string, pool *pgxpool.Pool) (*TopupWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("topup"), kgo.ConsumeTopics("topup.booked"))
	if err != nil {
		return nil, err
	}
	return &TopupWorker{client: client, pool: pool}, nil
}

func (w *TopupWorker) Run(ctx context.Context) error {
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

func (w *TopupWorker) handle(ctx context.Context, r *kgo.Record) error {
	var e topupBooked
	if err := json.Unmarshal(r.Value, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO topups (reference, cents) VALUES ($1, $2) ON CONFLICT (reference) DO NOTHING`, e.Reference, e.Cents); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE accounts SET balance = balance + $1 WHERE id = $2`, e.Cents, e.Account) // want "R-KFK-IDEM-X1"
		return err
	})
}
