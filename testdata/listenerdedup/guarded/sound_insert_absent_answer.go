package guarded

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

type transferBooked struct {
	EventID   string `json:"eventId"`
	Reference string `json:"reference"`
	Account   string `json:"account"`
	Cents     int64  `json:"cents"`
}

// TransferWorker is guarded by the transfer's own reference: no row inserted means booked before, and the addition is skipped.
type TransferWorker struct {
	client *kgo.Client
	pool   *pgxpool.Pool
}

func NewTransferWorker(seeds []string, pool *pgxpool.Pool) (*TransferWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("transfer"), kgo.ConsumeTopics("transfer.booked"))
	if err != nil {
		return nil, err
	}
	return &TransferWorker{client: client, pool: pool}, nil
}

func (w *TransferWorker) Run(ctx context.Context) error {
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

func (w *TransferWorker) handle(ctx context.Context, r *kgo.Record) error {
	var e transferBooked
	if err := json.Unmarshal(r.Value, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO transfers (reference, cents) VALUES ($1, $2) ON CONFLICT (reference) DO NOTHING`, e.Reference, e.Cents)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return nil
		}
		_, err = tx.Exec(ctx, `UPDATE accounts SET balance = balance + $1 WHERE id = $2`, e.Cents, e.Account)
		return err
	})
}
