package kafkago

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"
	"github.com/segmentio/kafka-go"
)

type stockMoved struct {
	EventID string `json:"event_id"`
	SKU     string `json:"sku"`
}

// moveLoop: SetNX on the event id; the offset is the value stored under it.
type moveLoop struct {
	reader *kafka.Reader
	rdb    *redis.Client
	pool   *pgxpool.Pool
}

func (l *moveLoop) Run(ctx context.Context) error {
	for {
		msg, err := l.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var ev stockMoved
		if err := json.Unmarshal(msg.Value, &ev); err != nil {
			return err
		}
		first, err := l.rdb.SetNX(ctx, "move:"+ev.EventID, msg.Offset, 24*time.Hour).Result()
		if err != nil {
			return err
		}
		if first {
			if _, err := l.pool.Exec(ctx, "UPDATE stock SET moved = moved + 1 WHERE sku = $1", ev.SKU); err != nil {
				return err
			}
		}
		if err := l.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}

// progressLoop: plain SET of the position for a dashboard; neither asks whether the key was there nor skips anything.
type progressLoop struct {
	reader *kafka.Reader
	rdb    *redis.Client
	pool   *pgxpool.Pool
}

func (l *progressLoop) Run(ctx context.Context) error {
	for {
		msg, err := l.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if _, err := l.pool.Exec(ctx, "INSERT INTO arrivals (id) VALUES ($1) ON CONFLICT DO NOTHING", string(msg.Key)); err != nil {
			return err
		}
		if err := l.rdb.Set(ctx, "progress:"+msg.Topic+":"+strconv.Itoa(msg.Partition), msg.Offset, 0).Err(); err != nil {
			return err
		}
		if err := l.rdb.LPush(ctx, "trail", strconv.FormatInt(msg.Offset, 10)).Err(); err != nil {
			return err
		}
		if err := l.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}
