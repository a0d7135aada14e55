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

type voucherUsed struct {
	EventID string `json:"eventId"`
	Shop    string `json:"shop"`
	Cents   int    `json:"cents"`
}

// VoucherWorker is sound here: an error of Redis ends the attempt, the record is delivered again.
type VoucherWorker struct {
	reader *kafka.Reader
	rdb    *redis.Client
	pool   *pgxpool.Pool
}

func NewVoucherWorker(brokers []string, rdb *redis.Client, pool *pgxpool.Pool) *VoucherWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "voucher.used", GroupID: "voucher"})
	return &VoucherWorker{reader: r, rdb: rdb, pool: pool}
}

func (w *VoucherWorker) Run(ctx context.Context) error {
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

func (w *VoucherWorker) handle(ctx context.Context, m kafka.Message) error {
	var e voucherUsed
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	first, err := w.rdb.SetNX(ctx, "voucher:"+e.EventID, 1, 72*time.Hour).Result()
	if err != nil {
		log.Printf("dedup store is down, trying later: %v", err)
		return err
	} else if !first {
		return nil
	}
	_, err = w.pool.Exec(ctx, `UPDATE shops SET vouchers = vouchers + $1 WHERE id = $2`, e.Cents, e.Shop)
	return err
}
