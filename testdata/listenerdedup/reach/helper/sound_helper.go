package helper

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type depositPaid struct {
	EventID string `json:"eventId"`
	Flat    string `json:"flat"`
	Cents   int64  `json:"cents"`
}

// RunDeposits reaches its effect two helpers away; sound: the helper between them marks the event first.
func RunDeposits(ctx context.Context, brokers []string, pool *pgxpool.Pool) error {
	reader := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "deposits", GroupID: "landlord"})
	for {
		m, err := reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := decodeDeposit(ctx, pool, m.Value); err != nil {
			return err
		}
		if err := reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func decodeDeposit(ctx context.Context, pool *pgxpool.Pool, body []byte) error {
	var e depositPaid
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		first, err := firstTime(ctx, tx, e.EventID)
		if err != nil {
			return err
		}
		if !first {
			return nil
		}
		return addDeposit(ctx, tx, e.Flat, e.Cents)
	})
}

func firstTime(ctx context.Context, tx pgx.Tx, id string) (bool, error) {
	tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'landlord') ON CONFLICT DO NOTHING`, id)
	if err != nil {
		return false, err
	}
	return tag.RowsAffected() > 0, nil
}

func addDeposit(ctx context.Context, tx pgx.Tx, flat string, cents int64) error {
	_, err := tx.Exec(ctx, `UPDATE flats SET deposit = deposit + $1 WHERE id = $2`, cents, flat)
	return err
}
