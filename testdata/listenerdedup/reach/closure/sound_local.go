package closure

import (
	"context"
	"encoding/json"

	"github.com/segmentio/kafka-go"
	"gorm.io/gorm"
)

type filterSold struct {
	EventID string `json:"eventId"`
	Shop    string `json:"shop"`
	Pieces  int    `json:"pieces"`
}

// SellFilters keeps gate and work in two local closures; sound: the loop asks the first before it calls the second.
func SellFilters(ctx context.Context, brokers []string, db *gorm.DB) error {
	reader := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "filters", GroupID: "optics"})
	isNew := func(tx *gorm.DB, id string) (bool, error) {
		res := tx.Exec("INSERT INTO processed_events (event_id, consumer_group) VALUES (?, 'optics') ON CONFLICT DO NOTHING", id)
		return res.RowsAffected == 1, res.Error
	}
	sell := func(tx *gorm.DB, e filterSold) error {
		return tx.Exec("UPDATE shops SET filters = filters - ? WHERE id = ?", e.Pieces, e.Shop).Error
	}
	for {
		m, err := reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		var e filterSold
		if err := json.Unmarshal(m.Value, &e); err != nil {
			return err
		}
		err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
			fresh, err := isNew(tx, e.EventID)
			if err != nil || !fresh {
				return err
			}
			return sell(tx, e)
		})
		if err != nil {
			return err
		}
	}
}
