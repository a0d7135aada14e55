package kafkagocase

import (
	"context"
	"encoding/json"

	"github.com/segmentio/kafka-go"
	"gorm.io/gorm"
)

type pickupReported struct {
	EventID string `json:"eventId"`
	SKU     string `json:"sku"`
	Pieces  int    `json:"pieces"`
}

// PickupWorker commits in batches as well; sound: each record is marked in the transaction of its own update.
type PickupWorker struct {
	reader *kafka.Reader
	db     *gorm.DB
}

func NewPickupWorker(brokers []string, db *gorm.DB) *PickupWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "pickups", GroupID: "stock"})
	return &PickupWorker{reader: r, db: db}
}

func (w *PickupWorker) Run(ctx context.Context) error {
	pending := make([]kafka.Message, 0, 50)
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var e pickupReported
		if err := json.Unmarshal(m.Value, &e); err != nil {
			return err
		}
		err = w.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
			mark := tx.Exec("INSERT INTO processed_events (event_id, consumer_group) VALUES (?, 'stock') ON CONFLICT DO NOTHING", e.EventID)
			if mark.Error != nil || mark.RowsAffected == 0 {
				return mark.Error
			}
			return tx.Exec("UPDATE stock SET pieces = pieces - ? WHERE sku = ?", e.Pieces, e.SKU).Error
		})
		if err != nil {
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
