package confluentcase

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"gorm.io/gorm"
)

type appealFiled struct {
	EventID string `json:"eventId"`
	Policy  string `json:"policy"`
	Reason  string `json:"reason"`
}

type appealRow struct {
	ID     uint `gorm:"primaryKey"`
	Policy string
	Reason string
}

// AppealWorker is Poll with a type switch; sound: the case leaves before the insert when the mark adds no row.
type AppealWorker struct {
	consumer *kafka.Consumer
	db       *gorm.DB
}

func NewAppealWorker(consumer *kafka.Consumer, db *gorm.DB) *AppealWorker {
	return &AppealWorker{consumer: consumer, db: db}
}

func (w *AppealWorker) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		switch ev := w.consumer.Poll(100).(type) {
		case *kafka.Message:
			if err := w.open(ctx, ev); err != nil {
				return fmt.Errorf("appeal on %v: %w", ev.TopicPartition, err)
			}
			if _, err := w.consumer.StoreMessage(ev); err != nil {
				return err
			}
		case kafka.Error:
			log.Printf("broker says %v", ev)
		}
	}
	return nil
}

func (w *AppealWorker) open(ctx context.Context, msg *kafka.Message) error {
	var e appealFiled
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	return w.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		mark := tx.Exec("INSERT INTO processed_events (event_id, consumer_group) VALUES (?, ?) ON CONFLICT DO NOTHING", e.EventID, "appeals")
		if mark.Error != nil {
			return mark.Error
		}
		if mark.RowsAffected < 1 {
			return nil
		}
		return tx.Create(&appealRow{Policy: e.Policy, Reason: e.Reason}).Error
	})
}
