package gates

import (
	"context"
	"encoding/json"
	"log"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"
	"github.com/segmentio/kafka-go"
)

type offerPlaced struct {
	EventID string `json:"eventId"`
	Lot     string `json:"lot"`
	Cents   int64  `json:"cents"`
}

// TenderWorker is sound here: SETNX on the event id, taken back only when the work failed.
type TenderWorker struct {
	reader *kafka.Reader
	rdb    *redis.Client
	pool   *pgxpool.Pool
}

func NewTenderWorker(brokers []string, rdb *redis.Client, pool *pgxpool.Pool) *TenderWorker {
	return &TenderWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "offer.placed", GroupID: "tender"}),
		rdb:    rdb, pool: pool,
	}
}

func (w *TenderWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("offer.placed at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *TenderWorker) handle(ctx context.Context, body []byte) error {
	var e offerPlaced
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	key := "seen:tender:" + e.EventID
	first, err := w.rdb.SetNX(ctx, key, "1", 7*24*time.Hour).Result()
	if err != nil {
		return err
	}
	if !first {
		return nil
	}
	if _, err = w.pool.Exec(ctx, `INSERT INTO offers (lot, cents) VALUES ($1, $2)`, e.Lot, e.Cents); err != nil {
		w.rdb.Del(ctx, key)
		return err
	}
	return nil
}
