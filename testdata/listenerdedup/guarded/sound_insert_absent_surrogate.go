package guarded

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type offerPlaced struct {
	EventID string `json:"eventId"`
	Number  string `json:"number"`
	Cents   int64  `json:"cents"`
}

// OfferWorker generates a surrogate id as well, but the conflict is on the payload's number: a guarded write.
type OfferWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewOfferWorker(brokers []string, pool *pgxpool.Pool) *OfferWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "offer.placed", GroupID: "offer"})
	return &OfferWorker{reader: r, pool: pool}
}

func (w *OfferWorker) Run(ctx context.Context) error {
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

func (w *OfferWorker) handle(ctx context.Context, m kafka.Message) error {
	var e offerPlaced
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	id := uuid.NewString()
	_, err := w.pool.Exec(ctx, `INSERT INTO offers (id, number, cents) VALUES ($1, $2, $3) ON CONFLICT (number) DO NOTHING`, id, e.Number, e.Cents)
	return err
}
