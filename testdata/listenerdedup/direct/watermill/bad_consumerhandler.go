package watermillcase

import (
	"database/sql"
	"encoding/json"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/message"
)

type milesFlown struct {
	EventID string `json:"eventId"`
	Member  string `json:"member"`
	Miles   int    `json:"miles"`
}

// RegisterMiles binds a closure by AddConsumerHandler; the miles are credited at every delivery.
func RegisterMiles(router *message.Router, brokers []string, db *sql.DB, log watermill.LoggerAdapter) error {
	sub, err := kafka.NewSubscriber(kafka.SubscriberConfig{Brokers: brokers, Unmarshaler: kafka.DefaultMarshaler{}, ConsumerGroup: "miles"}, log)
	if err != nil {
		return err
	}
	router.AddConsumerHandler("miles", "miles.flown", sub, func(msg *message.Message) error {
		var e milesFlown
		if err := json.Unmarshal(msg.Payload, &e); err != nil {
			return err
		}
		_, err := db.ExecContext(msg.Context(), `UPDATE members SET miles = miles + $1 WHERE number = $2`, e.Miles, e.Member) // want "R-KFK-IDEM-X1"
		return err
	})
	return nil
}
