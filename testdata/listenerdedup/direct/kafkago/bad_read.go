package kafkagocase

import (
	"context"
	"encoding/json"
	"log"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type mealServed struct {
	EventID string `json:"eventId"`
	Canteen string `json:"canteen"`
	Meal    string `json:"meal"`
}

// CountMeals is ReadMessage, which commits by itself; a rebalance or replay adds the meal again.
func CountMeals(ctx context.Context, brokers []string, pool *pgxpool.Pool) {
	reader := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "meals", GroupID: "canteen-ledger"})
	defer reader.Close()
	for {
		m, err := reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		var e mealServed
		if err := json.Unmarshal(m.Value, &e); err != nil {
			log.Printf("meal at offset %d is unreadable: %v", m.Offset, err)
			continue
		}
		if _, err := pool.Exec(ctx, `INSERT INTO canteen_ledger (canteen, meal) VALUES ($1, $2)`, e.Canteen, e.Meal); err != nil { // want "R-KFK-IDEM-X1"
			log.Printf("meal not booked: %v", err)
		}
	}
}
