package watermillcase

import (
	"encoding/json"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/jackc/pgx/v5/pgxpool"
)

type bikeRented struct {
	EventID string `json:"eventId"`
	Station string `json:"station"`
	Bike    string `json:"bike"`
}

// RentalHandler is bound by AddNoPublisherHandler as a method value; every delivery writes another rental.
type RentalHandler struct {
	pool *pgxpool.Pool
}

func (h *RentalHandler) Handle(msg *message.Message) error {
	var e bikeRented
	if err := json.Unmarshal(msg.Payload, &e); err != nil {
		return err
	}
	_, err := h.pool.Exec(msg.Context(), `INSERT INTO rentals (station, bike) VALUES ($1, $2)`, e.Station, e.Bike) // want "R-KFK-IDEM-X1"
	return err
}

// RegisterRentals subscribes the handler on Kafka.
func RegisterRentals(router *message.Router, brokers []string, pool *pgxpool.Pool, log watermill.LoggerAdapter) error {
	sub, err := kafka.NewSubscriber(kafka.SubscriberConfig{Brokers: brokers, Unmarshaler: kafka.DefaultMarshaler{}, ConsumerGroup: "rentals"}, log)
	if err != nil {
		return err
	}
	h := &RentalHandler{pool: pool}
	router.AddNoPublisherHandler("rentals", "bike.rented", sub, h.Handle)
	return nil
}
