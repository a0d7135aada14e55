package watermillcase

import (
	"database/sql"
	"encoding/json"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/message"
)

type milesSpent struct {
	EventID string `json:"eventId"`
	Member  string `json:"member"`
	Miles   int    `json:"miles"`
}

// RegisterSpending binds a closure by AddConsumerHandler; sound: a known event leaves the transaction before the update.
func RegisterSpending(router *message.Router, brokers []string, db *sql.DB, log watermill.LoggerAdapter) error {
	sub, err := kafka.NewSubscriber(kafka.SubscriberConfig{Brokers: brokers, Unmarshaler: kafka.DefaultMarshaler{}, ConsumerGroup: "miles"}, log)
	if err != nil {
		return err
	}
	router.AddConsumerHandler("spending", "miles.spent", sub, func(msg *message.Message) error {
		var e milesSpent
		if err := json.Unmarshal(msg.Payload, &e); err != nil {
			return err
		}
		tx, err := db.BeginTx(msg.Context(), nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		res, err := tx.ExecContext(msg.Context(), `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'miles') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		if err != nil {
			return err
		}
		if n == 0 {
			return nil
		}
		if _, err := tx.ExecContext(msg.Context(), `UPDATE members SET miles = miles - $1 WHERE number = $2`, e.Miles, e.Member); err != nil {
			return err
		}
		return tx.Commit()
	})
	return nil
}
