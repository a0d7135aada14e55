package gateoutside

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/segmentio/kafka-go"
)

type dessertOrdered struct {
	EventID string `json:"eventId"`
	Bar     string `json:"bar"`
}

// DessertWorker asks Redis first and tells it after the commit; right: Redis is a shortcut, the gate is the row in the transaction.
type DessertWorker struct {
	reader *kafka.Reader
	rdb    *redis.Client
	db     *sql.DB
}

func NewDessertWorker(brokers []string, rdb *redis.Client, db *sql.DB) *DessertWorker {
	return &DessertWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "desserts", GroupID: "bars"}),
		rdb:    rdb,
		db:     db,
	}
}

func (w *DessertWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.plate(ctx, m.Value); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (w *DessertWorker) plate(ctx context.Context, payload []byte) error {
	var e dessertOrdered
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	key := "desserts:" + e.EventID
	if n, err := w.rdb.Exists(ctx, key).Result(); err == nil && n > 0 {
		return nil
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
	if _, err := tx.ExecContext(ctx, `UPDATE bars SET desserts = desserts + 1 WHERE id = $1`, e.Bar); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	w.rdb.Set(ctx, key, 1, time.Hour)
	return nil
}
