package decorator

import (
	"context"
	"database/sql"
	"encoding/json"
	"log"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/segmentio/kafka-go"
)

type panUsed struct {
	EventID string `json:"eventId"`
	Key     string `json:"key"`
	Amount  int    `json:"amount"`
}

type panHandler func(ctx context.Context, body []byte) error

// panDedup has the order wrong.
func panDedup(rdb *redis.Client, next panHandler) panHandler {
	return func(ctx context.Context, body []byte) error {
		var head struct {
			EventID string `json:"eventId"`
		}
		if err := json.Unmarshal(body, &head); err != nil {
			return err
		}
		if err := next(ctx, body); err != nil {
			return err
		}
		first, err := rdb.SetNX(ctx, "seen:"+head.EventID, 1, 24*time.Hour).Result()
		if err == nil && !first {
			log.Printf("event %s came twice", head.EventID)
		}
		return err
	}
}

// PanWorker calls one decorated handler; its dedup decorator calls next before it asks Redis.
type PanWorker struct {
	reader *kafka.Reader
	handle panHandler
}

func (w *PanWorker) Run(ctx context.Context) error {
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

// NewPanWorker decorates the handler.
func NewPanWorker(brokers []string, db *sql.DB, rdb *redis.Client) *PanWorker {
	reader := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "pans", GroupID: "pans"})
	return &PanWorker{reader: reader, handle: panDedup(rdb, panFry(db))}
}

func panFry(db *sql.DB) panHandler {
	return func(ctx context.Context, body []byte) error {
		var e panUsed
		if err := json.Unmarshal(body, &e); err != nil {
			return err
		}
		_, err := db.ExecContext(ctx, `UPDATE pans SET total = total + $1 WHERE id = $2`, e.Amount, e.Key) // want "R-KFK-IDEM-X1"
		return err
	}
}
