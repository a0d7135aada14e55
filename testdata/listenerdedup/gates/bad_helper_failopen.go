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

type tollPassed struct {
	EventID string `json:"eventId"`
	Plate   string `json:"plate"`
	Cents   int    `json:"cents"`
}

// TollWorker asks a helper that answers "first" when the store fails.
type TollWorker struct {
	reader *kafka.Reader
	rdb    *redis.Client
	pool   *pgxpool.Pool
}

func NewTollWorker(brokers []string, rdb *redis.Client, pool *pgxpool.Pool) *TollWorker {
	return &TollWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "toll.passed", GroupID: "toll"}),
		rdb:    rdb, pool: pool,
	}
}

func (w *TollWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("toll.passed at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *TollWorker) handle(ctx context.Context, body []byte) error {
	var e tollPassed
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	if !w.first(ctx, e.EventID) {
		return nil
	}
	_, err := w.pool.Exec(ctx, `UPDATE plates SET owed = owed + $1 WHERE plate = $2`, e.Cents, e.Plate) // want "R-KFK-IDEM-X1"
	return err
}

func (w *TollWorker) first(ctx context.Context, id string) bool {
	ok, err := w.rdb.SetNX(ctx, "toll:"+id, "1", 24*time.Hour).Result()
	if err != nil {
		log.Printf("redis: %v", err)
		return true
	}
	return ok
}
