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

type couponUsed struct {
	EventID string `json:"eventId"`
	Shop    string `json:"shop"`
	Cents   int    `json:"cents"`
}

// CouponWorker lets the record through when Redis does not answer.
type CouponWorker struct {
	reader *kafka.Reader
	rdb    *redis.Client
	pool   *pgxpool.Pool
}

func NewCouponWorker(brokers []string, rdb *redis.Client, pool *pgxpool.Pool) *CouponWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "coupon.used", GroupID: "coupon"})
	return &CouponWorker{reader: r, rdb: rdb, pool: pool}
}

func (w *CouponWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.handle(ctx, m); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (w *CouponWorker) handle(ctx context.Context, m kafka.Message) error {
	var e couponUsed
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	first, err := w.rdb.SetNX(ctx, "coupon:"+e.EventID, 1, 72*time.Hour).Result()
	if err != nil {
		log.Printf("dedup store is down, going on: %v", err)
	} else if !first {
		return nil
	}
	_, err = w.pool.Exec(ctx, `UPDATE shops SET discount = discount + $1 WHERE id = $2`, e.Cents, e.Shop) // want "R-KFK-IDEM-X1"
	return err
}
