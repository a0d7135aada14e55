package silent

import (
	"encoding/json"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/jackc/pgx/v5/pgxpool"
)

type starterPlaced struct {
	EventID string `json:"eventId"`
	Table   string `json:"table"`
}

// RegisterStarters binds a handler with the same body on Kafka.
func RegisterStarters(router *message.Router, brokers []string, pool *pgxpool.Pool, logger watermill.LoggerAdapter) error {
	sub, err := kafka.NewSubscriber(kafka.SubscriberConfig{Brokers: brokers, Unmarshaler: kafka.DefaultMarshaler{}, ConsumerGroup: "starters"}, logger)
	if err != nil {
		return err
	}
	router.AddNoPublisherHandler("starter", "starter.placed", sub, func(msg *message.Message) error {
		var e starterPlaced
		if err := json.Unmarshal(msg.Payload, &e); err != nil {
			return err
		}
		_, err := pool.Exec(msg.Context(), `INSERT INTO starters (place) VALUES ($1)`, e.Table) // want "R-KFK-IDEM-X1"
		return err
	})
	return nil
}
