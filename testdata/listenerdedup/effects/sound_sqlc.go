package effects

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"

	"example.com/cases/listenerdedup/effects/store"
)

type squashBooked struct {
	EventID string `json:"eventId"`
	Court   string `json:"court"`
	Minutes int    `json:"minutes"`
}

// SquashWorker is sound: a query in the style of sqlc stands behind the mark in its own transaction.
type SquashWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
	q      *store.Queries
}

func NewSquashWorker(brokers []string, pool *pgxpool.Pool, q *store.Queries) *SquashWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "squash.booked", GroupID: "squash"})
	return &SquashWorker{reader: r, pool: pool, q: q}
}

func (w *SquashWorker) Run(ctx context.Context) error {
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

func (w *SquashWorker) handle(ctx context.Context, m kafka.Message) error {
	var e squashBooked
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	tx, err := w.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	q := w.q.WithTx(tx)
	n, err := q.TryMarkProcessed(ctx, store.TryMarkProcessedParams{EventID: e.EventID, ConsumerGroup: "squash"})
	if err != nil {
		return err
	}
	if n == 0 {
		return nil
	}
	if _, err := q.CreateBooking(ctx, store.CreateBookingParams{Court: e.Court, Minutes: e.Minutes}); err != nil {
		return err
	}
	return tx.Commit(ctx)
}
