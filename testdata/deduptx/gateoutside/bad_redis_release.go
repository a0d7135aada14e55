package gateoutside

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/segmentio/kafka-go"
)

type drinkOrdered struct {
	EventID string `json:"eventId"`
	Bar     string `json:"bar"`
}

// DrinkWorker marks in Redis and takes the mark away when the work fails; a crash between leaves it.
type DrinkWorker struct {
	reader *kafka.Reader
	rdb    redis.UniversalClient
	db     *sql.DB
}

func NewDrinkWorker(brokers []string, rdb redis.UniversalClient, db *sql.DB) *DrinkWorker {
	return &DrinkWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "drinks", GroupID: "bars"}),
		rdb:    rdb,
		db:     db,
	}
}

func (w *DrinkWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.mix(ctx, m.Value); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (w *DrinkWorker) mix(ctx context.Context, payload []byte) error {
	var e drinkOrdered
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	key := "drinks:" + e.EventID
	first, err := w.rdb.SetNX(ctx, key, 1, time.Hour).Result() // want "R-KFK-IDEM-3"
	if err != nil || !first {
		return err
	}
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		w.rdb.Del(ctx, key)
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `UPDATE bars SET open_orders = open_orders + 1 WHERE id = $1`, e.Bar); err != nil {
		w.rdb.Del(ctx, key)
		return err
	}
	return tx.Commit()
}
