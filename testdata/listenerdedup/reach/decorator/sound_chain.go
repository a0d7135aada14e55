package decorator

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"log"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/segmentio/kafka-go"
)

type kettleUsed struct {
	EventID string `json:"eventId"`
	Key     string `json:"key"`
	Amount  int    `json:"amount"`
}

type kettleHandler func(ctx context.Context, body []byte) error

// kettleDedup calls next only for an event id that Redis did not know.
func kettleDedup(rdb *redis.Client, next kettleHandler) kettleHandler {
	return func(ctx context.Context, body []byte) error {
		var head struct {
			EventID string `json:"eventId"`
		}
		if err := json.Unmarshal(body, &head); err != nil {
			return err
		}
		if head.EventID == "" {
			return errors.New("event without an id")
		}
		first, err := rdb.SetNX(ctx, "seen:"+head.EventID, 1, 24*time.Hour).Result()
		if err != nil {
			return err
		}
		if !first {
			return nil
		}
		return next(ctx, body)
	}
}

// kettleLog only tells how long next took.
func kettleLog(next kettleHandler) kettleHandler {
	return func(ctx context.Context, body []byte) error {
		start := time.Now()
		err := next(ctx, body)
		log.Printf("took %s, err %v", time.Since(start), err)
		return err
	}
}

func kettleChain(rdb *redis.Client, h kettleHandler) kettleHandler {
	h = kettleLog(h)
	h = kettleDedup(rdb, h)
	return h
}

// KettleWorker calls one decorated handler; sound: the dedup decorator is one of a chain that a helper applies.
type KettleWorker struct {
	reader *kafka.Reader
	handle kettleHandler
}

func (w *KettleWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.handle(ctx, m.Value); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

// NewKettleWorker decorates the handler.
func NewKettleWorker(brokers []string, db *sql.DB, rdb *redis.Client) *KettleWorker {
	reader := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "kettles", GroupID: "kettles"})
	return &KettleWorker{reader: reader, handle: kettleChain(rdb, boil(db))}
}

func boil(db *sql.DB) kettleHandler {
	return func(ctx context.Context, body []byte) error {
		var e kettleUsed
		if err := json.Unmarshal(body, &e); err != nil {
			return err
		}
		_, err := db.ExecContext(ctx, `UPDATE kettles SET total = total + $1 WHERE id = $2`, e.Amount, e.Key)
		return err
	}
}
