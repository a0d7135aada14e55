package poolinside

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type hallBooked struct {
	EventID string `json:"eventId"`
	Hall    string `json:"hall"`
}

// HallWorker calls a repository that was built with the pool from inside the transaction's closure.
type HallWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
	halls  *hallRepo
}

func NewHallWorker(brokers []string, pool *pgxpool.Pool) *HallWorker {
	return &HallWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "hall.booked", GroupID: "hall-ledger"}),
		pool:   pool,
		halls:  &hallRepo{pool: pool},
	}
}

func (w *HallWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.book(ctx, m.Value); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (w *HallWorker) book(ctx context.Context, payload []byte) error {
	var e hallBooked
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		return w.halls.addBooking(ctx, e.Hall)
	})
}

type hallRepo struct {
	pool *pgxpool.Pool
}

func (r *hallRepo) addBooking(ctx context.Context, hall string) error {
	_, err := r.pool.Exec(ctx, `UPDATE halls SET bookings = bookings + 1 WHERE id = $1`, hall) // want "R-KFK-IDEM-3"
	return err
}
