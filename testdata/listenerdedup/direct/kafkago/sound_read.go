package kafkagocase

import (
	"context"
	"encoding/json"
	"errors"
	"log"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type drinkServed struct {
	EventID string `json:"eventId"`
	Canteen string `json:"canteen"`
	Drink   string `json:"drink"`
}

// CountDrinks is ReadMessage; sound: RETURNING gives no row for a known event, and the insert after it is skipped.
func CountDrinks(ctx context.Context, brokers []string, pool *pgxpool.Pool) {
	reader := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "drinks", GroupID: "canteen-ledger"})
	defer reader.Close()
	for {
		m, err := reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		var e drinkServed
		if err := json.Unmarshal(m.Value, &e); err != nil {
			log.Printf("drink at offset %d is unreadable: %v", m.Offset, err)
			continue
		}
		if err := bookDrink(ctx, pool, e); err != nil {
			log.Printf("drink not booked: %v", err)
		}
	}
}

func bookDrink(ctx context.Context, pool *pgxpool.Pool, e drinkServed) error {
	tx, err := pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	var id string
	err = tx.QueryRow(ctx, `INSERT INTO processed_events (event_id, consumer_group)
		VALUES ($1, 'canteen-ledger') ON CONFLICT DO NOTHING RETURNING event_id`, e.EventID).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `INSERT INTO canteen_ledger (canteen, drink) VALUES ($1, $2)`, e.Canteen, e.Drink); err != nil {
		return err
	}
	return tx.Commit(ctx)
}
