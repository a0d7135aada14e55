package watermillcase

import (
	"encoding/json"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type bikeReturned struct {
	EventID string `json:"eventId"`
	Station string `json:"station"`
	Bike    string `json:"bike"`
}

// ReturnHandler is bound by AddNoPublisherHandler; sound: the payload's event id is marked in the insert's transaction.
type ReturnHandler struct {
	pool *pgxpool.Pool
}

func (h *ReturnHandler) Handle(msg *message.Message) error {
	ctx := msg.Context()
	var e bikeReturned
	if err := json.Unmarshal(msg.Payload, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, h.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'returns') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return nil
		}
		_, err = tx.Exec(ctx, `INSERT INTO bike_returns (station, bike) VALUES ($1, $2)`, e.Station, e.Bike)
		return err
	})
}

// RegisterReturns subscribes the handler on Kafka.
func RegisterReturns(router *message.Router, brokers []string, pool *pgxpool.Pool, log watermill.LoggerAdapter) error {
	sub, err := kafka.NewSubscriber(kafka.SubscriberConfig{Brokers: brokers, Unmarshaler: kafka.DefaultMarshaler{}, ConsumerGroup: "returns"}, log)
	if err != nil {
		return err
	}
	h := &ReturnHandler{pool: pool}
	router.AddNoPublisherHandler("returns", "bike.returned", sub, h.Handle)
	return nil
}
