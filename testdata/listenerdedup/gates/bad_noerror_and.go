package gates

import (
	"context"
	"encoding/json"
	"time"

	"github.com/IBM/sarama"
	"github.com/redis/go-redis/v9"
	"gorm.io/gorm"
)

type songPlayed struct {
	EventID string `json:"eventId"`
	Song    string `json:"song"`
	Plays   int    `json:"plays"`
}

// RadioWorker skips only when there is no error and the key existed; with an error it plays on.
type RadioWorker struct {
	rdb *redis.Client
	db  *gorm.DB
}

func NewRadioWorker(rdb *redis.Client, db *gorm.DB) *RadioWorker {
	return &RadioWorker{rdb: rdb, db: db}
}

func (w *RadioWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *RadioWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *RadioWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *RadioWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e songPlayed
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	ok, err := w.rdb.SetNX(ctx, "song:"+e.EventID, 1, time.Hour).Result()
	if err == nil && !ok {
		return nil
	}
	return w.db.WithContext(ctx).Exec("UPDATE royalties SET plays = plays + ? WHERE song = ?", e.Plays, e.Song).Error // want "R-KFK-IDEM-X1"
}
