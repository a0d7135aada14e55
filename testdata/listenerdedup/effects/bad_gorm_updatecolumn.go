package effects

import (
	"context"
	"encoding/json"

	ckafka "github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"gorm.io/gorm"
)

type teaPoured struct {
	EventID string `json:"eventId"`
	House   string `json:"house"`
	Cups    int    `json:"cups"`
}

// TeaWorker has gorm's UpdateColumn with an expression as its effect and no gate.
type TeaWorker struct {
	consumer *ckafka.Consumer
	db       *gorm.DB
}

func NewTeaWorker(brokers string, db *gorm.DB) (*TeaWorker, error) {
	c, err := ckafka.NewConsumer(&ckafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "tea"})
	if err != nil {
		return nil, err
	}
	return &TeaWorker{consumer: c, db: db}, c.Subscribe("tea.poured", nil)
}

func (w *TeaWorker) Run(ctx context.Context) error {
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

func (w *TeaWorker) handle(ctx context.Context, body []byte) error {
	var e teaPoured
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	return w.db.WithContext(ctx).Table("houses").Where("id = ?", e.House).UpdateColumn("cups", gorm.Expr("cups + ?", e.Cups)).Error // want "R-KFK-IDEM-X1"
}
