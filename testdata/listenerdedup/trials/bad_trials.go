// Package trials has shapes of public services that once were judged wrongly.
package trials

import (
	"context"
	"encoding/json"
	"net/smtp"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kgo"
	"gorm.io/gorm"
)

// route publishes good records in one place and empty ones in another.
func route(ctx context.Context, client *kgo.Client, out, deadLetters string) error {
	for {
		var batch []*kgo.Record
		client.PollFetches(ctx).EachRecord(func(r *kgo.Record) { batch = append(batch, r) })
		var good, empty int
		sends := make([]*kgo.Record, 0, len(batch))
		for _, r := range batch {
			topic := out
			if len(r.Value) == 0 {
				topic = "orders-dlq"
				empty++
			} else {
				good++
			}
			sends = append(sends, &kgo.Record{Topic: topic, Value: r.Value})
		}
		if err := client.ProduceSync(ctx, sends...).FirstErr(); err != nil { // want "R-KFK-IDEM-X1"
			return err
		}
	}
}

type greeting struct {
	User string `json:"user"`
}

// greet's key is the second of the minute: each delivery has another.
func greet(ctx context.Context, r *kafka.Reader, rdb *redis.Client) error {
	for {
		m, err := r.ReadMessage(ctx)
		if err != nil {
			return err
		}
		var g greeting
		if err := json.Unmarshal(m.Value, &g); err != nil {
			continue
		}
		key := strconv.Itoa(time.Now().Second())
		ok, _ := rdb.HSetNX(ctx, key, g.User, "mailer").Result()
		rdb.ExpireNX(ctx, key, time.Second)
		if !ok {
			continue
		}
		if err := smtp.SendMail("mail:25", nil, "shop@example.com", []string{g.User}, nil); err != nil { // want "R-KFK-IDEM-X1"
			return err
		}
	}
}

// cached fills a cache after the work: that is no check of the event id.
func cached(ctx context.Context, r *kafka.Reader, out *kafka.Writer, rdb *redis.Client) error {
	for {
		m, err := r.ReadMessage(ctx)
		if err != nil {
			return err
		}
		var g greeting
		if err := json.Unmarshal(m.Value, &g); err != nil {
			continue
		}
		if err := out.WriteMessages(ctx, kafka.Message{Value: m.Value}); err != nil { // want "no check of the event id is on the way"
			return err
		}
		if err := rdb.HSetNX(ctx, "users", g.User, m.Value).Err(); err != nil {
			continue
		}
	}
}

// source is looked up for a status.
type source struct {
	ID   uint
	Name string
}

type status struct {
	ID       uint
	SourceID uint
	Text     string
}

// statuses inserts a row either way: what was read decides how, not whether.
func statuses(ctx context.Context, r *kafka.Reader, db *gorm.DB) error {
	for {
		m, err := r.ReadMessage(ctx)
		if err != nil {
			return err
		}
		var src source
		db.Where("name = ?", string(m.Key)).First(&src)
		st := status{SourceID: src.ID, Text: string(m.Value)}
		if src == (source{}) {
			if err := db.Omit("source_id").Create(&st).Error; err != nil {
				return err
			}
			continue
		}
		if err := db.Create(&st).Error; err != nil { // want "R-KFK-IDEM-X1"
			return err
		}
	}
}
