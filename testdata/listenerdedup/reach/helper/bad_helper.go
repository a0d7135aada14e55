package helper

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type rentPaid struct {
	EventID string `json:"eventId"`
	Flat    string `json:"flat"`
	Cents   int64  `json:"cents"`
}

// RunRent reaches its effect two helpers away, without a gate on the way.
func RunRent(ctx context.Context, brokers []string, pool *pgxpool.Pool) error {
	reader := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "rent", GroupID: "landlord"})
	for {
		m, err := reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := decodeRent(ctx, pool, m.Value); err != nil {
			return err
		}
		if err := reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func decodeRent(ctx context.Context, pool *pgxpool.Pool, body []byte) error {
	var e rentPaid
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	return addRent(ctx, pool, e.Flat, e.Cents)
}

func addRent(ctx context.Context, pool *pgxpool.Pool, flat string, cents int64) error {
	_, err := pool.Exec(ctx, `UPDATE flats SET paid = paid + $1 WHERE id = $2`, cents, flat) // want "R-KFK-IDEM-X1"
	return err
}
