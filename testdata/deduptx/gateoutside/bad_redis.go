package gateoutside

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/redis/go-redis/v9"
	"github.com/segmentio/kafka-go"
)

type mealOrdered struct {
	EventID string `json:"eventId"`
	Kitchen string `json:"kitchen"`
}

// MealWorker marks in Redis by SETNX and writes to the database.
type MealWorker struct {
	reader *kafka.Reader
	rdb    *redis.Client
	db     *sqlx.DB
}

func NewMealWorker(brokers []string, rdb *redis.Client, db *sqlx.DB) *MealWorker {
	return &MealWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "meals", GroupID: "kitchens"}),
		rdb:    rdb,
		db:     db,
	}
}

func (w *MealWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.cook(ctx, m.Value); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (w *MealWorker) cook(ctx context.Context, payload []byte) error {
	var e mealOrdered
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	first, err := w.rdb.SetNX(ctx, "seen:"+e.EventID, "1", 24*time.Hour).Result() // want "R-KFK-IDEM-3"
	if err != nil {
		return err
	}
	if !first {
		return nil
	}
	_, err = w.db.ExecContext(ctx, `UPDATE kitchens SET queued = queued + 1 WHERE id = $1`, e.Kitchen)
	return err
}
