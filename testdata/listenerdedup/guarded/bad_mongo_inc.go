package guarded

import (
	"context"
	"encoding/json"

	ckafka "github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type storyRead struct {
	EventID string `json:"eventId"`
	Story   string `json:"story"`
	Reads   int    `json:"reads"`
}

// StoryWorker adds with $inc.
type StoryWorker struct {
	consumer *ckafka.Consumer
	coll     *mongo.Collection
}

func NewStoryWorker(brokers string, coll *mongo.Collection) (*StoryWorker, error) {
	c, err := ckafka.NewConsumer(&ckafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "story"})
	if err != nil {
		return nil, err
	}
	return &StoryWorker{consumer: c, coll: coll}, c.Subscribe("story.read", nil)
}

func (w *StoryWorker) Run(ctx context.Context) error {
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

func (w *StoryWorker) handle(ctx context.Context, body []byte) error {
	var e storyRead
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := w.coll.UpdateOne(ctx, bson.M{"_id": e.Story}, bson.M{"$inc": bson.M{"reads": e.Reads}}) // want "R-KFK-IDEM-X1"
	return err
}
