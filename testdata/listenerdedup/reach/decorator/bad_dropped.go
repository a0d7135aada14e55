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

type grillUsed struct {
	EventID string `json:"eventId"`
	Key     string `json:"key"`
	Amount  int    `json:"amount"`
}

type grillHandler func(ctx context.Context, body []byte) error

// grillDedup calls next only for an event id that Redis did not know.
func grillDedup(rdb *redis.Client, next grillHandler) grillHandler {
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

// GrillWorker calls one decorated handler; the dedup decorator is made, and the plain handler is used.
type GrillWorker struct {
	reader *kafka.Reader
	handle grillHandler
}

func (w *GrillWorker) Run(ctx context.Context) error {
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

// NewGrillWorker decorates the handler.
func NewGrillWorker(brokers []string, db *sql.DB, rdb *redis.Client) *GrillWorker {
	reader := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "grills", GroupID: "grills"})
	plain := grillIt(db)
	if guarded := grillDedup(rdb, plain); guarded == nil {
		log.Print("no dedup")
	}
	return &GrillWorker{reader: reader, handle: plain}
}

func grillIt(db *sql.DB) grillHandler {
	return func(ctx context.Context, body []byte) error {
		var e grillUsed
		if err := json.Unmarshal(body, &e); err != nil {
			return err
		}
		_, err := db.ExecContext(ctx, `UPDATE grills SET total = total + $1 WHERE id = $2`, e.Amount, e.Key) // want "R-KFK-IDEM-X1"
		return err
	}
}
