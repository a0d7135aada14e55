package watermillcase

import (
	"encoding/json"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/message"
	"gorm.io/gorm"
)

type waxDrawn struct {
	EventID string `json:"eventId"`
	Hive    string `json:"hive"`
}

// WaxHandler returns the transaction's error; right: the router acknowledges only after nil.
type WaxHandler struct {
	db *gorm.DB
}

func NewWaxHandler(db *gorm.DB) *WaxHandler { return &WaxHandler{db: db} }

// Register binds the handler to a Kafka subscriber.
func (h *WaxHandler) Register(router *message.Router, brokers []string, log watermill.LoggerAdapter) error {
	sub, err := kafka.NewSubscriber(kafka.SubscriberConfig{Brokers: brokers, Unmarshaler: kafka.DefaultMarshaler{}, ConsumerGroup: "hives"}, log)
	if err != nil {
		return err
	}
	router.AddConsumerHandler("waxDrawn", "waxDrawn", sub, h.Handle)
	return nil
}

// Handle is called by the router, which acknowledges when it returns nil.
func (h *WaxHandler) Handle(msg *message.Message) error {
	ctx := msg.Context()
	var e waxDrawn
	if err := json.Unmarshal(msg.Payload, &e); err != nil {
		return err
	}
	return h.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		res := tx.Exec("INSERT INTO processed_events (event_id) VALUES (?) ON CONFLICT DO NOTHING", e.EventID)
		if res.Error != nil || res.RowsAffected == 0 {
			return res.Error
		}
		return tx.Exec("UPDATE hives SET jars = jars + 1 WHERE id = ?", e.Hive).Error
	})
}
