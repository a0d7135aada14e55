package goroutine

import (
	"context"
	"encoding/json"
	"log"

	"github.com/jmoiron/sqlx"
	"github.com/segmentio/kafka-go"
)

type bulbChanged struct {
	EventID string `json:"eventId"`
	Car     string `json:"car"`
	Pieces  int    `json:"pieces"`
}

// ChangeBulbs is "go handle(msg)"; sound for this rule: the loop marks the event before it starts the goroutine.
func ChangeBulbs(ctx context.Context, reader *kafka.Reader, db *sqlx.DB) error {
	for {
		m, err := reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var e bulbChanged
		if err := json.Unmarshal(m.Value, &e); err != nil {
			return err
		}
		res, err := db.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'bulbs') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		if err != nil {
			return err
		}
		if n == 1 {
			go bulb(ctx, db, e)
		}
		if err := reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func bulb(ctx context.Context, db *sqlx.DB, e bulbChanged) {
	if _, err := db.ExecContext(ctx, `INSERT INTO bulbs (car, pieces) VALUES ($1, $2)`, e.Car, e.Pieces); err != nil {
		log.Print(err)
	}
}
