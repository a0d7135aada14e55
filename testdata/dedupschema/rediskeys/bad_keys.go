// Package rediskeys gates by Redis.
package rediskeys

import (
	"context"
	"encoding/json"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/segmentio/kafka-go"
)

type alarm struct {
	EventID string `json:"eventId"`
	Sensor  string `json:"sensor"`
}

// pager sends a page for each alarm.
type pager struct {
	reader *kafka.Reader
	out    *kafka.Writer
	seen   *redis.Client
}

func (p *pager) run(ctx context.Context) error {
	for {
		msg, err := p.reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		var a alarm
		if err := json.Unmarshal(msg.Value, &a); err != nil {
			continue
		}
		first, err := p.seen.SetNX(ctx, "alarm:"+a.EventID, 1, 0).Result() // want "keeps its keys for ever"
		if err != nil {
			return err
		}
		if first {
			if err := p.out.WriteMessages(ctx, kafka.Message{Value: msg.Value}); err != nil {
				return err
			}
		}
	}
}

func (p *pager) soundRun(ctx context.Context) error {
	for {
		msg, err := p.reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		var a alarm
		if err := json.Unmarshal(msg.Value, &a); err != nil {
			continue
		}
		if ok, err := p.seen.SetNX(ctx, "alarm:"+a.EventID, 1, 7*24*time.Hour).Result(); err != nil || !ok {
			continue
		}
		if err := p.out.WriteMessages(ctx, kafka.Message{Value: msg.Value}); err != nil {
			return err
		}
	}
}
