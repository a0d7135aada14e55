package guarded

import (
	"context"
	"encoding/json"

	"github.com/jmoiron/sqlx"
	"github.com/segmentio/kafka-go"
)

type priceChanged struct {
	EventID string `json:"eventId"`
	SKU     string `json:"sku"`
	Cents   int64  `json:"cents"`
}

// PriceWorker is an overwriting upsert.
type PriceWorker struct {
	reader *kafka.Reader
	db     *sqlx.DB
}

func NewPriceWorker(brokers []string, db *sqlx.DB) *PriceWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "price.changed", GroupID: "price"})
	return &PriceWorker{reader: r, db: db}
}

func (w *PriceWorker) Run(ctx context.Context) error {
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

func (w *PriceWorker) handle(ctx context.Context, m kafka.Message) error {
	var e priceChanged
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	_, err := w.db.ExecContext(ctx, `INSERT INTO prices (sku, cents) VALUES ($1, $2) ON CONFLICT (sku) DO UPDATE SET cents = excluded.cents`, e.SKU, e.Cents) // want "R-KFK-IDEM-X1.*overwrit"
	return err
}
