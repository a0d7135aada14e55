// Package expires gives the key its end in a second call.
package expires

import (
	"context"
	"encoding/json"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/segmentio/kafka-go"
)

type alarm struct {
	EventID string `json:"eventId"`
}

func run(ctx context.Context, reader *kafka.Reader, out *kafka.Writer, seen *redis.Client) error {
	for {
		msg, err := reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		var a alarm
		if err := json.Unmarshal(msg.Value, &a); err != nil {
			continue
		}
		key := "alarm:" + a.EventID
		first, err := seen.SetNX(ctx, key, 1, 0).Result()
		if err != nil {
			return err
		}
		if !first {
			continue
		}
		if err := seen.Expire(ctx, key, 24*time.Hour).Err(); err != nil {
			return err
		}
		if err := out.WriteMessages(ctx, kafka.Message{Value: msg.Value}); err != nil {
			return err
		}
	}
}
