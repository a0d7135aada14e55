package closure

import (
	"context"
	"encoding/json"

	"github.com/segmentio/kafka-go"
	"gorm.io/gorm"
)

type lensSold struct {
	EventID string `json:"eventId"`
	Shop    string `json:"shop"`
	Pieces  int    `json:"pieces"`
}

// SellLenses keeps the work in a local closure and calls it from the loop.
func SellLenses(ctx context.Context, brokers []string, db *gorm.DB) error {
	reader := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "lenses", GroupID: "optics"})
	sell := func(e lensSold) error {
		return db.WithContext(ctx).Exec("UPDATE shops SET lenses = lenses - ? WHERE id = ?", e.Pieces, e.Shop).Error // want "R-KFK-IDEM-X1"
	}
	for {
		m, err := reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		var e lensSold
		if err := json.Unmarshal(m.Value, &e); err != nil {
			return err
		}
		if err := sell(e); err != nil {
			return err
		}
	}
}
