package effects

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"

	"example.com/cases/listenerdedup/effects/store"
)

type tennisBooked struct {
	EventID string `json:"eventId"`
	Court   string `json:"court"`
	Minutes int    `json:"minutes"`
}

// TennisWorker has a query in the style of sqlc as its effect and no gate.
type TennisWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
	q      *store.Queries
}

func NewTennisWorker(brokers []string, pool *pgxpool.Pool, q *store.Queries) *TennisWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "tennis.booked", GroupID: "tennis"})
	return &TennisWorker{reader: r, pool: pool, q: q}
}

func (w *TennisWorker) Run(ctx context.Context) error {
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

func (w *TennisWorker) handle(ctx context.Context, m kafka.Message) error {
	var e tennisBooked
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	_, err := w.q.CreateBooking(ctx, store.CreateBookingParams{Court: e.Court, Minutes: e.Minutes}) // want "R-KFK-IDEM-X1"
	return err
}
