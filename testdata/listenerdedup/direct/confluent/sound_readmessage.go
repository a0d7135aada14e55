package confluentcase

import (
	"context"
	"encoding/json"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type roomReleased struct {
	EventID string `json:"eventId"`
	Hotel   string `json:"hotel"`
	Nights  int    `json:"nights"`
}

// RunReleases is ReadMessage; sound: release writes only when the event's mark, in the same transaction, was the first.
func RunReleases(ctx context.Context, brokers string, pool *pgxpool.Pool) error {
	consumer, err := kafka.NewConsumer(&kafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "hotels", "enable.auto.commit": false})
	if err != nil {
		return err
	}
	defer consumer.Close()
	if err := consumer.Subscribe("releases", nil); err != nil {
		return err
	}
	for ctx.Err() == nil {
		msg, err := consumer.ReadMessage(500 * time.Millisecond)
		if err != nil {
			if kerr, ok := err.(kafka.Error); ok && kerr.IsTimeout() {
				continue
			}
			return err
		}
		var e roomReleased
		if err := json.Unmarshal(msg.Value, &e); err != nil {
			return err
		}
		if err := release(ctx, pool, e); err != nil {
			return err
		}
		if _, err := consumer.CommitMessage(msg); err != nil {
			return err
		}
	}
	return nil
}

func release(ctx context.Context, pool *pgxpool.Pool, e roomReleased) error {
	tx, err := pool.BeginTx(ctx, pgx.TxOptions{})
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'hotels') ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	if tag.RowsAffected() != 1 {
		return nil
	}
	if _, err := tx.Exec(ctx, `UPDATE hotels SET free_nights = free_nights + $1 WHERE code = $2`, e.Nights, e.Hotel); err != nil {
		return err
	}
	return tx.Commit(ctx)
}
