package kafkagocase

import (
	"context"
	"encoding/json"

	"github.com/segmentio/kafka-go"
	"gorm.io/gorm"
)

type returnReceived struct {
	EventID string `json:"eventId"`
	SKU     string `json:"sku"`
	Pieces  int    `json:"pieces"`
}

// ReturnsWorker fetches records one by one and commits them in batches of fifty; up to fifty returns are counted twice.
type ReturnsWorker struct {
	reader *kafka.Reader
	db     *gorm.DB
}

func NewReturnsWorker(brokers []string, db *gorm.DB) *ReturnsWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "returns", GroupID: "stock"})
	return &ReturnsWorker{reader: r, db: db}
}

func (w *ReturnsWorker) Run(ctx context.Context) error {
	pending := make([]kafka.Message, 0, 50)
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var e returnReceived
		if err := json.Unmarshal(m.Value, &e); err != nil {
			return err
		}
		if err := w.db.WithContext(ctx).Exec("UPDATE stock SET pieces = pieces + ? WHERE sku = ?", e.Pieces, e.SKU).Error; err != nil { // want "R-KFK-IDEM-X1"
			return err
		}
		pending = append(pending, m)
		if len(pending) == cap(pending) {
			if err := w.reader.CommitMessages(ctx, pending...); err != nil {
				return err
			}
			pending = pending[:0]
		}
	}
}
