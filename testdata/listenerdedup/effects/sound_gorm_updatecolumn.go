package effects

import (
	"context"
	"encoding/json"

	ckafka "github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"gorm.io/gorm"
)

type milkPoured struct {
	EventID string `json:"eventId"`
	House   string `json:"house"`
	Cups    int    `json:"cups"`
}

// MilkWorker is sound: gorm's UpdateColumn with an expression stands behind the mark in its own transaction.
type MilkWorker struct {
	consumer *ckafka.Consumer
	db       *gorm.DB
}

func NewMilkWorker(brokers string, db *gorm.DB) (*MilkWorker, error) {
	c, err := ckafka.NewConsumer(&ckafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "milk"})
	if err != nil {
		return nil, err
	}
	return &MilkWorker{consumer: c, db: db}, c.Subscribe("milk.poured", nil)
}

func (w *MilkWorker) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		ev := w.consumer.Poll(200)
		msg, ok := ev.(*ckafka.Message)
		if !ok {
			continue
		}
		if err := w.handle(ctx, msg.Value); err != nil {
			return err
		}
		if _, err := w.consumer.StoreMessage(msg); err != nil {
			return err
		}
	}
	return nil
}

func (w *MilkWorker) handle(ctx context.Context, body []byte) error {
	var e milkPoured
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	return w.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		mark := tx.Exec("INSERT INTO processed_events (event_id, consumer_group) VALUES (?, 'milk') ON CONFLICT DO NOTHING", e.EventID)
		if mark.Error != nil || mark.RowsAffected == 0 {
			return mark.Error
		}
		return tx.Table("houses").Where("id = ?", e.House).UpdateColumn("milk", gorm.Expr("milk + ?", e.Cups)).Error
	})
}
