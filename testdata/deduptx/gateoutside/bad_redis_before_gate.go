package gateoutside

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/segmentio/kafka-go"
)

type coffeeOrdered struct {
	EventID string `json:"eventId"`
	Bar     string `json:"bar"`
}

// CoffeeWorker marks in Redis in front of the gate in the transaction: when the transaction fails, the mark in Redis drops the next delivery.
type CoffeeWorker struct {
	reader *kafka.Reader
	rdb    *redis.Client
	db     *sql.DB
}

func NewCoffeeWorker(brokers []string, rdb *redis.Client, db *sql.DB) *CoffeeWorker {
	return &CoffeeWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "coffees", GroupID: "bars"}),
		rdb:    rdb,
		db:     db,
	}
}

func (w *CoffeeWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.brew(ctx, m.Value); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (w *CoffeeWorker) brew(ctx context.Context, payload []byte) error {
	var e coffeeOrdered
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	key := "coffees:" + e.EventID
	first, err := w.rdb.SetNX(ctx, key, 1, time.Hour).Result() // want "R-KFK-IDEM-3"
	if err != nil || !first {
		return err
	}
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE bars SET coffees = coffees + 1 WHERE id = $1`, e.Bar); err != nil {
		return err
	}
	return tx.Commit()
}
