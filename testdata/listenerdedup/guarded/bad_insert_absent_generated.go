package guarded

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type quotePlaced struct {
	EventID  string `json:"eventId"`
	Customer string `json:"customer"`
	Cents    int64  `json:"cents"`
}

// QuoteWorker has ON CONFLICT DO NOTHING on a key that it generates: it never conflicts.
type QuoteWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewQuoteWorker(brokers []string, pool *pgxpool.Pool) *QuoteWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "quote.placed", GroupID: "quote"})
	return &QuoteWorker{reader: r, pool: pool}
}

func (w *QuoteWorker) Run(ctx context.Context) error {
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

func (w *QuoteWorker) handle(ctx context.Context, m kafka.Message) error {
	var e quotePlaced
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	id := uuid.NewString()
	_, err := w.pool.Exec(ctx, `INSERT INTO quotes (id, customer, cents) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING`, id, e.Customer, e.Cents) // want "R-KFK-IDEM-X1"
	return err
}
