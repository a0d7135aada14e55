package guarded

import (
	"context"
	"encoding/json"

	ckafka "github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

type essaySent struct {
	EventID string `json:"eventId"`
	Essay   string `json:"essay"`
	Text    string `json:"text"`
}

// EssayWorker replaces the document.
type EssayWorker struct {
	consumer *ckafka.Consumer
	coll     *mongo.Collection
}

func NewEssayWorker(brokers string, coll *mongo.Collection) (*EssayWorker, error) {
	c, err := ckafka.NewConsumer(&ckafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "essay"})
	if err != nil {
		return nil, err
	}
	return &EssayWorker{consumer: c, coll: coll}, c.Subscribe("essay.sent", nil)
}

func (w *EssayWorker) Run(ctx context.Context) error {
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

func (w *EssayWorker) handle(ctx context.Context, body []byte) error {
	var e essaySent
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := w.coll.ReplaceOne(ctx, bson.M{"_id": e.Essay}, bson.M{"text": e.Text}, options.Replace().SetUpsert(true)) // want "R-KFK-IDEM-X1.*overwrit"
	return err
}
