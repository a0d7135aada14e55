package guarded

import (
	"context"
	"encoding/json"
	"log"

	"github.com/segmentio/kafka-go"
	"gorm.io/gorm"
)

type cartDropped struct {
	EventID string `json:"eventId"`
	Cart    string `json:"cart"`
}

// CartWorker is a guarded write: gorm's Delete by key.
type CartWorker struct {
	reader *kafka.Reader
	db     *gorm.DB
}

func NewCartWorker(brokers []string, db *gorm.DB) *CartWorker {
	return &CartWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "cart.dropped", GroupID: "cart"}),
		db:     db,
	}
}

func (w *CartWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("cart.dropped at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *CartWorker) handle(ctx context.Context, body []byte) error {
	var e cartDropped
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	return w.db.WithContext(ctx).Where("id = ?", e.Cart).Delete(&cartRow{}).Error
}

type cartRow struct {
	ID string `gorm:"primaryKey"`
}
