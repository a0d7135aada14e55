package gates

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/bradfitz/gomemcache/memcache"
	ckafka "github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"gorm.io/gorm"
)

type lampLit struct {
	EventID string `json:"eventId"`
	Street  string `json:"street"`
	Hours   int    `json:"hours"`
}

// LampWorker is sound here: Add answers ErrNotStored for a known event, which returns.
type LampWorker struct {
	consumer *ckafka.Consumer
	mc       *memcache.Client
	db       *gorm.DB
}

func NewLampWorker(brokers string, mc *memcache.Client, db *gorm.DB) (*LampWorker, error) {
	c, err := ckafka.NewConsumer(&ckafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "lamp"})
	if err != nil {
		return nil, err
	}
	return &LampWorker{consumer: c, mc: mc, db: db}, c.Subscribe("lamp.lit", nil)
}

func (w *LampWorker) Run(ctx context.Context) error {
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

func (w *LampWorker) handle(ctx context.Context, body []byte) error {
	var e lampLit
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	err := w.mc.Add(&memcache.Item{Key: "lamp-" + e.EventID, Value: []byte{1}, Expiration: 86400})
	if errors.Is(err, memcache.ErrNotStored) {
		return nil
	}
	if err != nil {
		return err
	}
	return w.db.WithContext(ctx).Exec("UPDATE streets SET hours = hours + ? WHERE id = ?", e.Hours, e.Street).Error
}
