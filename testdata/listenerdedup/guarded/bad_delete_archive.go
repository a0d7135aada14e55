package guarded

import (
	"context"
	"encoding/json"
	"log"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type basketDropped struct {
	EventID string `json:"eventId"`
	Basket  string `json:"basket"`
}

// BasketWorker deletes by key, and counts the deletion relatively.
type BasketWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewBasketWorker(brokers []string, pool *pgxpool.Pool) *BasketWorker {
	return &BasketWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "basket.dropped", GroupID: "basket"}),
		pool:   pool,
	}
}

func (w *BasketWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("basket.dropped at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *BasketWorker) handle(ctx context.Context, body []byte) error {
	var e basketDropped
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	if _, err := w.pool.Exec(ctx, `DELETE FROM baskets WHERE id = $1`, e.Basket); err != nil {
		return err
	}
	_, err := w.pool.Exec(ctx, `UPDATE totals SET dropped = dropped + 1`) // want "R-KFK-IDEM-X1"
	return err
}
