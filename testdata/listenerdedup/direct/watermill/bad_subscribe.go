package watermillcase

import (
	"context"
	"encoding/json"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/jackc/pgx/v5/pgxpool"
)

type treePlanted struct {
	EventID string `json:"eventId"`
	Park    string `json:"park"`
}

// PlantTrees ranges over the subscriber's channel without a router; each delivery counts another tree.
func PlantTrees(ctx context.Context, brokers []string, pool *pgxpool.Pool, log watermill.LoggerAdapter) error {
	sub, err := kafka.NewSubscriber(kafka.SubscriberConfig{Brokers: brokers, Unmarshaler: kafka.DefaultMarshaler{}, ConsumerGroup: "parks"}, log)
	if err != nil {
		return err
	}
	messages, err := sub.Subscribe(ctx, "tree.planted")
	if err != nil {
		return err
	}
	for msg := range messages {
		var e treePlanted
		if err := json.Unmarshal(msg.Payload, &e); err != nil {
			msg.Nack()
			continue
		}
		if _, err := pool.Exec(ctx, `UPDATE parks SET trees = trees + 1 WHERE name = $1`, e.Park); err != nil { // want "R-KFK-IDEM-X1"
			msg.Nack()
			continue
		}
		msg.Ack()
	}
	return nil
}
