package goroutine

import (
	"context"
	"encoding/json"
	"log"

	"github.com/jmoiron/sqlx"
	"github.com/segmentio/kafka-go"
)

type brakeChanged struct {
	EventID string `json:"eventId"`
	Car     string `json:"car"`
	Pieces  int    `json:"pieces"`
}

// ChangeBrakes is "go handle(msg)" with a function of the package.
func ChangeBrakes(ctx context.Context, reader *kafka.Reader, db *sqlx.DB) error {
	for {
		m, err := reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		go brake(ctx, db, m)
		if err := reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func brake(ctx context.Context, db *sqlx.DB, m kafka.Message) {
	var e brakeChanged
	if json.Unmarshal(m.Value, &e) != nil {
		return
	}
	if _, err := db.ExecContext(ctx, `INSERT INTO brakes (car, pieces) VALUES ($1, $2)`, e.Car, e.Pieces); err != nil { // want "R-KFK-IDEM-X1"
		log.Print(err)
	}
}
