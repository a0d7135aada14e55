package effects

import (
	"context"
	"encoding/json"

	ckafka "github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type photoShot struct {
	EventID string `json:"eventId"`
	Set     string `json:"set"`
	Text    string `json:"text"`
}

// PhotoWorker is sound for this rule: an InsertOne stands behind the mark of the event.
type PhotoWorker struct {
	consumer *ckafka.Consumer
	coll     *mongo.Collection
	events   *mongo.Collection
}

func NewPhotoWorker(brokers string, coll *mongo.Collection, events *mongo.Collection) (*PhotoWorker, error) {
	c, err := ckafka.NewConsumer(&ckafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "photo"})
	if err != nil {
		return nil, err
	}
	return &PhotoWorker{consumer: c, coll: coll, events: events}, c.Subscribe("photo.shot", nil)
}

func (w *PhotoWorker) Run(ctx context.Context) error {
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

func (w *PhotoWorker) handle(ctx context.Context, body []byte) error {
	var e photoShot
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := w.events.InsertOne(ctx, bson.M{"_id": e.EventID, "group": "photo"})
	if mongo.IsDuplicateKeyError(err) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = w.coll.InsertOne(ctx, bson.M{"set": e.Set, "text": e.Text})
	return err
}
