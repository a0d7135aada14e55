package guarded

import (
	"context"
	"encoding/json"

	ckafka "github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type verseSent struct {
	EventID string `json:"eventId"`
	Text    string `json:"text"`
}

// VerseWorker lets MongoDB generate the _id, so no duplicate is ever noticed.
type VerseWorker struct {
	consumer *ckafka.Consumer
	coll     *mongo.Collection
}

func NewVerseWorker(brokers string, coll *mongo.Collection) (*VerseWorker, error) {
	c, err := ckafka.NewConsumer(&ckafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "verse"})
	if err != nil {
		return nil, err
	}
	return &VerseWorker{consumer: c, coll: coll}, c.Subscribe("verse.sent", nil)
}

func (w *VerseWorker) Run(ctx context.Context) error {
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

func (w *VerseWorker) handle(ctx context.Context, body []byte) error {
	var e verseSent
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := w.coll.InsertOne(ctx, bson.M{"text": e.Text}) // want "R-KFK-IDEM-X1"
	return err
}
