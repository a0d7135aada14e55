package guarded

import (
	"context"
	"encoding/json"

	ckafka "github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

type poemSent struct {
	EventID string `json:"eventId"`
	Poem    string `json:"poem"`
	Text    string `json:"text"`
}

// PoemWorker is a guarded write: $setOnInsert writes only what is absent.
type PoemWorker struct {
	consumer *ckafka.Consumer
	coll     *mongo.Collection
}

func NewPoemWorker(brokers string, coll *mongo.Collection) (*PoemWorker, error) {
	c, err := ckafka.NewConsumer(&ckafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "poem"})
	if err != nil {
		return nil, err
	}
	return &PoemWorker{consumer: c, coll: coll}, c.Subscribe("poem.sent", nil)
}

func (w *PoemWorker) Run(ctx context.Context) error {
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

func (w *PoemWorker) handle(ctx context.Context, body []byte) error {
	var e poemSent
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := w.coll.UpdateOne(ctx, bson.M{"_id": e.Poem}, bson.M{"$setOnInsert": bson.M{"text": e.Text}}, options.UpdateOne().SetUpsert(true))
	return err
}
