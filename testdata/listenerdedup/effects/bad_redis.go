package effects

import (
	"context"
	"encoding/json"
	"log"

	"github.com/redis/go-redis/v9"
	"github.com/segmentio/kafka-go"
)

type levelPassed struct {
	EventID string `json:"eventId"`
	Player  string `json:"player"`
	Points  int64  `json:"points"`
}

// GamerWorker has an addition in a Redis hash that holds the points as its effect and no gate.
type GamerWorker struct {
	reader *kafka.Reader
	rdb    *redis.Client
}

func NewGamerWorker(brokers []string, rdb *redis.Client) *GamerWorker {
	return &GamerWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "level.passed", GroupID: "gamer"}),
		rdb:    rdb,
	}
}

func (w *GamerWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("level.passed at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *GamerWorker) handle(ctx context.Context, body []byte) error {
	var e levelPassed
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	return w.rdb.HIncrBy(ctx, "points", e.Player, e.Points).Err() // want "R-KFK-IDEM-X1"
}
