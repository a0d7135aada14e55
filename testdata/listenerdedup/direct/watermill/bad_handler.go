package watermillcase

import (
	"encoding/json"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/message"
	"gorm.io/gorm"
)

type complaintRaised struct {
	EventID string `json:"eventId"`
	Guest   string `json:"guest"`
	Text    string `json:"text"`
}

type complaintRow struct {
	ID    uint `gorm:"primaryKey"`
	Guest string
	Text  string
}

// ComplaintHandler is bound by AddHandler and answers with no message; every delivery files the complaint again.
type ComplaintHandler struct {
	db *gorm.DB
}

func (h ComplaintHandler) Handle(msg *message.Message) ([]*message.Message, error) {
	var e complaintRaised
	if err := json.Unmarshal(msg.Payload, &e); err != nil {
		return nil, err
	}
	if err := h.db.WithContext(msg.Context()).Create(&complaintRow{Guest: e.Guest, Text: e.Text}).Error; err != nil { // want "R-KFK-IDEM-X1"
		return nil, err
	}
	return nil, nil
}

// RegisterComplaints subscribes a method of a literal on Kafka.
func RegisterComplaints(router *message.Router, brokers []string, pub message.Publisher, db *gorm.DB, log watermill.LoggerAdapter) error {
	sub, err := kafka.NewSubscriber(kafka.SubscriberConfig{Brokers: brokers, Unmarshaler: kafka.DefaultMarshaler{}, ConsumerGroup: "complaints"}, log)
	if err != nil {
		return err
	}
	router.AddHandler("complaints", "complaint.raised", sub, "complaint.filed", pub, ComplaintHandler{db: db}.Handle)
	return nil
}
