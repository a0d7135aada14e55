package guarded

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type leaseSigned struct {
	EventID string `json:"eventId"`
	Party   string `json:"party"`
}

// LeaseWorker handles the unique violation of a key that it generates: it never happens.
type LeaseWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewLeaseWorker(brokers []string, pool *pgxpool.Pool) *LeaseWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "lease.signed", GroupID: "lease"})
	return &LeaseWorker{reader: r, pool: pool}
}

func (w *LeaseWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.handle(ctx, m); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (w *LeaseWorker) handle(ctx context.Context, m kafka.Message) error {
	var e leaseSigned
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	_, err := w.pool.Exec(ctx, `INSERT INTO leases (id, party) VALUES ($1, $2)`, uuid.NewString(), e.Party) // want "R-KFK-IDEM-X1"
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) && pgErr.Code == "23505" {
		return nil
	}
	return err
}
