package gates

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"
	"github.com/segmentio/kafka-go"
)

type bidPlaced struct {
	EventID string `json:"eventId"`
	Lot     string `json:"lot"`
	Cents   int64  `json:"cents"`
}

// AuctionWorker takes a Redis lock on the lot and gives it back: a lock is no memory of the event.
type AuctionWorker struct {
	reader *kafka.Reader
	rdb    *redis.Client
	pool   *pgxpool.Pool
}

func NewAuctionWorker(brokers []string, rdb *redis.Client, pool *pgxpool.Pool) *AuctionWorker {
	return &AuctionWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "bid.placed", GroupID: "auction"}),
		rdb:    rdb, pool: pool,
	}
}

func (w *AuctionWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("bid.placed at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *AuctionWorker) handle(ctx context.Context, body []byte) error {
	var e bidPlaced
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	locked, err := w.rdb.SetNX(ctx, "lock:lot:"+e.Lot, "1", 30*time.Second).Result()
	if err != nil {
		return err
	}
	if !locked {
		return errors.New("lot is busy")
	}
	defer w.rdb.Del(ctx, "lock:lot:"+e.Lot)
	_, err = w.pool.Exec(ctx, `INSERT INTO bids (lot, cents) VALUES ($1, $2)`, e.Lot, e.Cents) // want "R-KFK-IDEM-X1"
	return err
}
