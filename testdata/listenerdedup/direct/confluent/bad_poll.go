package confluentcase

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"gorm.io/gorm"
)

type claimFiled struct {
	EventID string `json:"eventId"`
	Policy  string `json:"policy"`
	Cents   int64  `json:"cents"`
}

type claimRow struct {
	ID     uint `gorm:"primaryKey"`
	Policy string
	Cents  int64
}

// ClaimWorker is Poll with a type switch; the message's case opens another claim at every delivery.
type ClaimWorker struct {
	consumer *kafka.Consumer
	db       *gorm.DB
}

func NewClaimWorker(consumer *kafka.Consumer, db *gorm.DB) *ClaimWorker {
	return &ClaimWorker{consumer: consumer, db: db}
}

func (w *ClaimWorker) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		switch ev := w.consumer.Poll(100).(type) {
		case *kafka.Message:
			var e claimFiled
			if err := json.Unmarshal(ev.Value, &e); err != nil {
				return fmt.Errorf("claim on %v: %w", ev.TopicPartition, err)
			}
			if err := w.db.Create(&claimRow{Policy: e.Policy, Cents: e.Cents}).Error; err != nil { // want "R-KFK-IDEM-X1"
				return err
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
