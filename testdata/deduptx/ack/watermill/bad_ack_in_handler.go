package watermillcase

import (
	"encoding/json"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/message"
	"gorm.io/gorm"
)

type honeyDrawn struct {
	EventID string `json:"eventId"`
	Hive    string `json:"hive"`
}

// HoneyHandler acknowledges by hand before the transaction runs.
type HoneyHandler struct {
	db *gorm.DB
}

func NewHoneyHandler(db *gorm.DB) *HoneyHandler { return &HoneyHandler{db: db} }

// Register binds the handler to a Kafka subscriber.
func (h *HoneyHandler) Register(router *message.Router, brokers []string, log watermill.LoggerAdapter) error {
	sub, err := kafka.NewSubscriber(kafka.SubscriberConfig{Brokers: brokers, Unmarshaler: kafka.DefaultMarshaler{}, ConsumerGroup: "hives"}, log)
	if err != nil {
		return err
	}
	router.AddConsumerHandler("honeyDrawn", "honeyDrawn", sub, h.Handle)
	return nil
}

// Handle is called by the router, which acknowledges when it returns nil.
func (h *HoneyHandler) Handle(msg *message.Message) error {
	ctx := msg.Context()
	var e honeyDrawn
	if err := json.Unmarshal(msg.Payload, &e); err != nil {
		return err
	}
	msg.Ack() // want "R-KFK-IDEM-3"
	return h.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		res := tx.Exec("INSERT INTO processed_events (event_id) VALUES (?) ON CONFLICT DO NOTHING", e.EventID)
		if res.Error != nil || res.RowsAffected == 0 {
			return res.Error
		}
		return tx.Exec("UPDATE hives SET jars = jars + 1 WHERE id = ?", e.Hive).Error
	})
}
