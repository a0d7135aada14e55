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

type stoveUsed struct {
	EventID string `json:"eventId"`
	Key     string `json:"key"`
	Amount  int    `json:"amount"`
}

type stoveHandler func(ctx context.Context, body []byte) error

// stoveDedup calls next only for an event id that Redis did not know.
func stoveDedup(rdb *redis.Client, next stoveHandler) stoveHandler {
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

// stoveLog only tells how long next took.
func stoveLog(next stoveHandler) stoveHandler {
	return func(ctx context.Context, body []byte) error {
		start := time.Now()
		err := next(ctx, body)
		log.Printf("took %s, err %v", time.Since(start), err)
		return err
	}
}

// StoveWorker calls one decorated handler; sound: the outer decorator lets only a first event through.
type StoveWorker struct {
	reader *kafka.Reader
	handle stoveHandler
}

func (w *StoveWorker) Run(ctx context.Context) error {
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

// NewStoveWorker decorates the handler.
func NewStoveWorker(brokers []string, db *sql.DB, rdb *redis.Client) *StoveWorker {
	reader := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "stoves", GroupID: "stoves"})
	return &StoveWorker{reader: reader, handle: stoveDedup(rdb, stoveLog(fry(db)))}
}

func fry(db *sql.DB) stoveHandler {
	return func(ctx context.Context, body []byte) error {
		var e stoveUsed
		if err := json.Unmarshal(body, &e); err != nil {
			return err
		}
		_, err := db.ExecContext(ctx, `UPDATE stoves SET total = total + $1 WHERE id = $2`, e.Amount, e.Key)
		return err
	}
}
