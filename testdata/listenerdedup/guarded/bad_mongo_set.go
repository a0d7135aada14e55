package guarded

import (
	"context"
	"encoding/json"

	ckafka "github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

type novelSent struct {
	EventID string `json:"eventId"`
	Novel   string `json:"novel"`
	Text    string `json:"text"`
}

// NovelWorker overwrites with $set.
type NovelWorker struct {
	consumer *ckafka.Consumer
	coll     *mongo.Collection
}

func NewNovelWorker(brokers string, coll *mongo.Collection) (*NovelWorker, error) {
	c, err := ckafka.NewConsumer(&ckafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "novel"})
	if err != nil {
		return nil, err
	}
	return &NovelWorker{consumer: c, coll: coll}, c.Subscribe("novel.sent", nil)
}

func (w *NovelWorker) Run(ctx context.Context) error {
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

func (w *NovelWorker) handle(ctx context.Context, body []byte) error {
	var e novelSent
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := w.coll.UpdateOne(ctx, bson.M{"_id": e.Novel}, bson.M{"$set": bson.M{"text": e.Text}}, options.UpdateOne().SetUpsert(true)) // want "R-KFK-IDEM-X1.*overwrit"
	return err
}
