package gates

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/bradfitz/gomemcache/memcache"
	ckafka "github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"gorm.io/gorm"
)

type torchLit struct {
	EventID string `json:"eventId"`
	Street  string `json:"street"`
	Hours   int    `json:"hours"`
}

// TorchWorker forgives ErrNotStored, the answer of Add for a known event, and goes on.
type TorchWorker struct {
	consumer *ckafka.Consumer
	mc       *memcache.Client
	db       *gorm.DB
}

func NewTorchWorker(brokers string, mc *memcache.Client, db *gorm.DB) (*TorchWorker, error) {
	c, err := ckafka.NewConsumer(&ckafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "torch"})
	if err != nil {
		return nil, err
	}
	return &TorchWorker{consumer: c, mc: mc, db: db}, c.Subscribe("torch.lit", nil)
}

func (w *TorchWorker) Run(ctx context.Context) error {
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

func (w *TorchWorker) handle(ctx context.Context, body []byte) error {
	var e torchLit
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	err := w.mc.Add(&memcache.Item{Key: "torch-" + e.EventID, Value: []byte{1}, Expiration: 86400})
	if errors.Is(err, memcache.ErrNotStored) {
		err = nil
	}
	if err != nil {
		return err
	}
	return w.db.WithContext(ctx).Exec("UPDATE streets SET hours = hours + ? WHERE id = ?", e.Hours, e.Street).Error // want "R-KFK-IDEM-X1"
}
