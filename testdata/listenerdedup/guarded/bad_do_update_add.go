package guarded

import (
	"context"
	"encoding/json"

	"github.com/jmoiron/sqlx"
	"github.com/segmentio/kafka-go"
)

type stockArrived struct {
	EventID string `json:"eventId"`
	SKU     string `json:"sku"`
	Pieces  int    `json:"pieces"`
}

// StockWorker adds to the old amount in DO UPDATE: a replay adds again.
type StockWorker struct {
	reader *kafka.Reader
	db     *sqlx.DB
}

func NewStockWorker(brokers []string, db *sqlx.DB) *StockWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "stock.arrived", GroupID: "stock"})
	return &StockWorker{reader: r, db: db}
}

func (w *StockWorker) Run(ctx context.Context) error {
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

func (w *StockWorker) handle(ctx context.Context, m kafka.Message) error {
	var e stockArrived
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	_, err := w.db.ExecContext(ctx, `INSERT INTO stock (sku, pieces) VALUES ($1, $2) ON CONFLICT (sku) DO UPDATE SET pieces = stock.pieces + excluded.pieces`, e.SKU, e.Pieces) // want "R-KFK-IDEM-X1"
	return err
}
