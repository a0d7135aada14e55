package gates

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"
	"github.com/segmentio/kafka-go"
)

type ferryBoarded struct {
	EventID string `json:"eventId"`
	Plate   string `json:"plate"`
	Cents   int    `json:"cents"`
}

// FerryWorker is sound here: its helper hands the store's error on and the worker returns it.
type FerryWorker struct {
	reader *kafka.Reader
	rdb    *redis.Client
	pool   *pgxpool.Pool
}

func NewFerryWorker(brokers []string, rdb *redis.Client, pool *pgxpool.Pool) *FerryWorker {
	return &FerryWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "ferry.boarded", GroupID: "ferry"}),
		rdb:    rdb, pool: pool,
	}
}

func (w *FerryWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("ferry.boarded at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *FerryWorker) handle(ctx context.Context, body []byte) error {
	var e ferryBoarded
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	first, err := w.first(ctx, e.EventID)
	if err != nil {
		return err
	}
	if !first {
		return nil
	}
	_, err = w.pool.Exec(ctx, `UPDATE plates SET owed = owed + $1 WHERE plate = $2`, e.Cents, e.Plate)
	return err
}

func (w *FerryWorker) first(ctx context.Context, id string) (bool, error) {
	ok, err := w.rdb.SetNX(ctx, "ferry:"+id, "1", 24*time.Hour).Result()
	if err != nil {
		return false, fmt.Errorf("redis: %w", err)
	}
	return ok, nil
}
