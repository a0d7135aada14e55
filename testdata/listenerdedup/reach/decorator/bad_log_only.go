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

type ovenUsed struct {
	EventID string `json:"eventId"`
	Key     string `json:"key"`
	Amount  int    `json:"amount"`
}

type ovenHandler func(ctx context.Context, body []byte) error

// ovenLog only tells how long next took.
func ovenLog(next ovenHandler) ovenHandler {
	return func(ctx context.Context, body []byte) error {
		start := time.Now()
		err := next(ctx, body)
		log.Printf("took %s, err %v", time.Since(start), err)
		return err
	}
}

// OvenWorker calls one decorated handler; the only decorator measures time.
type OvenWorker struct {
	reader *kafka.Reader
	handle ovenHandler
}

func (w *OvenWorker) Run(ctx context.Context) error {
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

// NewOvenWorker decorates the handler.
func NewOvenWorker(brokers []string, db *sql.DB, rdb *redis.Client) *OvenWorker {
	reader := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "ovens", GroupID: "ovens"})
	return &OvenWorker{reader: reader, handle: ovenLog(bake(db))}
}

func bake(db *sql.DB) ovenHandler {
	return func(ctx context.Context, body []byte) error {
		var e ovenUsed
		if err := json.Unmarshal(body, &e); err != nil {
			return err
		}
		_, err := db.ExecContext(ctx, `UPDATE ovens SET total = total + $1 WHERE id = $2`, e.Amount, e.Key) // want "R-KFK-IDEM-X1"
		return err
	}
}
