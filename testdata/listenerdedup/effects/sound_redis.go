package effects

import (
	"context"
	"encoding/json"
	"log"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/segmentio/kafka-go"
)

type levelWon struct {
	EventID string `json:"eventId"`
	Player  string `json:"player"`
	Points  int64  `json:"points"`
}

// PlayerWorker is sound for this rule: an addition in a Redis hash that holds the points stands behind the mark of the event.
type PlayerWorker struct {
	reader *kafka.Reader
	rdb    *redis.Client
}

func NewPlayerWorker(brokers []string, rdb *redis.Client) *PlayerWorker {
	return &PlayerWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "level.won", GroupID: "player"}),
		rdb:    rdb,
	}
}

func (w *PlayerWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("level.won at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *PlayerWorker) handle(ctx context.Context, body []byte) error {
	var e levelWon
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	first, err := w.rdb.SetNX(ctx, "seen:player:"+e.EventID, 1, 24*time.Hour).Result()
	if err != nil {
		return err
	}
	if !first {
		return nil
	}
	return w.rdb.HIncrBy(ctx, "points", e.Player, e.Points).Err()
}
