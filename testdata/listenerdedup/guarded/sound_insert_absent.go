package guarded

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type orderPlaced struct {
	EventID string `json:"eventId"`
	Number  string `json:"number"`
	Cents   int64  `json:"cents"`
}

// OrderWorker is a guarded write: the order number of the payload is the key, a second insert does nothing.
type OrderWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewOrderWorker(brokers []string, pool *pgxpool.Pool) *OrderWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "order.placed", GroupID: "order"})
	return &OrderWorker{reader: r, pool: pool}
}

func (w *OrderWorker) Run(ctx context.Context) error {
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

func (w *OrderWorker) handle(ctx context.Context, m kafka.Message) error {
	var e orderPlaced
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	_, err := w.pool.Exec(ctx, `INSERT INTO orders (number, cents) VALUES ($1, $2) ON CONFLICT (number) DO NOTHING`, e.Number, e.Cents)
	return err
}
