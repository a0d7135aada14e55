package kafkago

import (
	"context"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"
	"github.com/segmentio/kafka-go"
)

// pickLoop: go-redis SetNX on a concatenation of topic, partition and offset.
type pickLoop struct {
	reader *kafka.Reader
	rdb    *redis.Client
	pool   *pgxpool.Pool
}

func (l *pickLoop) Run(ctx context.Context) error {
	for {
		msg, err := l.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		key := "pick:" + msg.Topic + ":" + strconv.Itoa(msg.Partition) + ":" + strconv.FormatInt(msg.Offset, 10)
		first, err := l.rdb.SetNX(ctx, key, 1, 24*time.Hour).Result() // want "R-KFK-IDEM-X2"
		if err != nil {
			return err
		}
		if first {
			if _, err := l.pool.Exec(ctx, "UPDATE stock SET picked = picked + 1 WHERE sku = $1", string(msg.Key)); err != nil {
				return err
			}
		}
		if err := l.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}
