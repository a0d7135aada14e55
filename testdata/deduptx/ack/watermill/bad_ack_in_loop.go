package watermillcase

import (
	"context"
	"encoding/json"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/message"
	"gorm.io/gorm"
)

type pollenDrawn struct {
	EventID string `json:"eventId"`
	Hive    string `json:"hive"`
}

// PollenHandler acknowledges a message of the channel before the commit.
type PollenHandler struct {
	db *gorm.DB
}

func NewPollenHandler(db *gorm.DB) *PollenHandler { return &PollenHandler{db: db} }

// Run reads the subscription's channel itself.
func (h *PollenHandler) Run(ctx context.Context, brokers []string, log watermill.LoggerAdapter) error {
	sub, err := kafka.NewSubscriber(kafka.SubscriberConfig{Brokers: brokers, Unmarshaler: kafka.DefaultMarshaler{}, ConsumerGroup: "hives"}, log)
	if err != nil {
		return err
	}
	messages, err := sub.Subscribe(ctx, "pollenDrawn")
	if err != nil {
		return err
	}
	for msg := range messages {
		if err := h.handle(ctx, msg); err != nil {
			return err
		}
	}
	return nil
}

func (h *PollenHandler) handle(ctx context.Context, msg *message.Message) error {
	var e pollenDrawn
	if err := json.Unmarshal(msg.Payload, &e); err != nil {
		return err
	}
	tx := h.db.WithContext(ctx).Begin()
	if tx.Error != nil {
		return tx.Error
	}
	defer tx.Rollback()
	res := tx.Exec("INSERT INTO processed_events (event_id) VALUES (?) ON CONFLICT DO NOTHING", e.EventID)
	if res.Error != nil || res.RowsAffected == 0 {
		return res.Error
	}
	if err := tx.Exec("UPDATE hives SET jars = jars + 1 WHERE id = ?", e.Hive).Error; err != nil {
		return err
	}
	msg.Ack() // want "R-KFK-IDEM-3"
	return tx.Commit().Error
}
