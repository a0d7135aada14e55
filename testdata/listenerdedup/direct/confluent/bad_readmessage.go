package confluentcase

import (
	"context"
	"encoding/json"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/jackc/pgx/v5/pgxpool"
)

type roomReserved struct {
	EventID string `json:"eventId"`
	Hotel   string `json:"hotel"`
	Nights  int    `json:"nights"`
}

// RunReservations is ReadMessage with a timeout; every delivery takes nights off the hotel again.
func RunReservations(ctx context.Context, brokers string, pool *pgxpool.Pool) error {
	consumer, err := kafka.NewConsumer(&kafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "hotels", "enable.auto.commit": false})
	if err != nil {
		return err
	}
	defer consumer.Close()
	if err := consumer.Subscribe("reservations", nil); err != nil {
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
		var e roomReserved
		if err := json.Unmarshal(msg.Value, &e); err != nil {
			return err
		}
		if _, err := pool.Exec(ctx, `UPDATE hotels SET free_nights = free_nights - $1 WHERE code = $2`, e.Nights, e.Hotel); err != nil { // want "R-KFK-IDEM-X1"
			return err
		}
		if _, err := consumer.CommitMessage(msg); err != nil {
			return err
		}
	}
	return nil
}
