package watermillcase

import (
	"context"
	"encoding/json"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type treeFelled struct {
	EventID string `json:"eventId"`
	Park    string `json:"park"`
}

// FellTrees ranges over the subscriber's channel; sound: the count changes only behind the mark in the same transaction.
func FellTrees(ctx context.Context, brokers []string, pool *pgxpool.Pool, log watermill.LoggerAdapter) error {
	sub, err := kafka.NewSubscriber(kafka.SubscriberConfig{Brokers: brokers, Unmarshaler: kafka.DefaultMarshaler{}, ConsumerGroup: "parks"}, log)
	if err != nil {
		return err
	}
	messages, err := sub.Subscribe(ctx, "tree.felled")
	if err != nil {
		return err
	}
	for msg := range messages {
		var e treeFelled
		if err := json.Unmarshal(msg.Payload, &e); err != nil {
			msg.Nack()
			continue
		}
		err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
			tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'parks') ON CONFLICT DO NOTHING`, e.EventID)
			if err != nil || tag.RowsAffected() == 0 {
				return err
			}
			_, err = tx.Exec(ctx, `UPDATE parks SET trees = trees - 1 WHERE name = $1`, e.Park)
			return err
		})
		if err != nil {
			msg.Nack()
			continue
		}
		msg.Ack()
	}
	return nil
}
