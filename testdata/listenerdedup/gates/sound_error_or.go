package gates

import (
	"context"
	"encoding/json"
	"time"

	"github.com/IBM/sarama"
	"github.com/redis/go-redis/v9"
	"gorm.io/gorm"
)

type songStreamed struct {
	EventID string `json:"eventId"`
	Song    string `json:"song"`
	Plays   int    `json:"plays"`
}

// StreamWorker is sound here: an error or an existing key both end the attempt.
type StreamWorker struct {
	rdb *redis.Client
	db  *gorm.DB
}

func NewStreamWorker(rdb *redis.Client, db *gorm.DB) *StreamWorker {
	return &StreamWorker{rdb: rdb, db: db}
}

func (w *StreamWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *StreamWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *StreamWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *StreamWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e songStreamed
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	ok, err := w.rdb.SetNX(ctx, "stream:"+e.EventID, 1, time.Hour).Result()
	if err != nil || !ok {
		return err
	}
	return w.db.WithContext(ctx).Exec("UPDATE royalties SET streams = streams + ? WHERE song = ?", e.Plays, e.Song).Error
}
