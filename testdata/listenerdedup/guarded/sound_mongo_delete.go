package guarded

import (
	"context"
	"encoding/json"

	ckafka "github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type draftDropped struct {
	EventID string `json:"eventId"`
	Draft   string `json:"draft"`
}

// DraftWorker is a guarded write: DeleteOne by key.
type DraftWorker struct {
	consumer *ckafka.Consumer
	coll     *mongo.Collection
}

func NewDraftWorker(brokers string, coll *mongo.Collection) (*DraftWorker, error) {
	c, err := ckafka.NewConsumer(&ckafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "draft"})
	if err != nil {
		return nil, err
	}
	return &DraftWorker{consumer: c, coll: coll}, c.Subscribe("draft.dropped", nil)
}

func (w *DraftWorker) Run(ctx context.Context) error {
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

func (w *DraftWorker) handle(ctx context.Context, body []byte) error {
	var e draftDropped
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := w.coll.DeleteOne(ctx, bson.M{"_id": e.Draft})
	return err
}
