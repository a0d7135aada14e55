package watermillcase

import (
	"encoding/json"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/message"
	"gorm.io/gorm"
)

type praiseGiven struct {
	EventID string `json:"eventId"`
	Guest   string `json:"guest"`
	Text    string `json:"text"`
}

type praiseRow struct {
	ID    uint `gorm:"primaryKey"`
	Guest string
	Text  string
}

// PraiseHandler is bound by AddHandler; sound: both the row and the answering message come only after a first mark.
type PraiseHandler struct {
	db *gorm.DB
}

func (h PraiseHandler) Handle(msg *message.Message) ([]*message.Message, error) {
	var e praiseGiven
	if err := json.Unmarshal(msg.Payload, &e); err != nil {
		return nil, err
	}
	tx := h.db.WithContext(msg.Context()).Begin()
	defer tx.Rollback()
	mark := tx.Exec("INSERT INTO processed_events (event_id, consumer_group) VALUES (?, 'praise') ON CONFLICT DO NOTHING", e.EventID)
	if mark.Error != nil {
		return nil, mark.Error
	}
	if mark.RowsAffected == 0 {
		return nil, nil
	}
	if err := tx.Create(&praiseRow{Guest: e.Guest, Text: e.Text}).Error; err != nil {
		return nil, err
	}
	if err := tx.Commit().Error; err != nil {
		return nil, err
	}
	return []*message.Message{message.NewMessage(msg.UUID, msg.Payload)}, nil
}

// RegisterPraise subscribes a method of a literal on Kafka.
func RegisterPraise(router *message.Router, brokers []string, pub message.Publisher, db *gorm.DB, log watermill.LoggerAdapter) error {
	sub, err := kafka.NewSubscriber(kafka.SubscriberConfig{Brokers: brokers, Unmarshaler: kafka.DefaultMarshaler{}, ConsumerGroup: "praise"}, log)
	if err != nil {
		return err
	}
	router.AddHandler("praise", "praise.given", sub, "praise.filed", pub, PraiseHandler{db: db}.Handle)
	return nil
}
