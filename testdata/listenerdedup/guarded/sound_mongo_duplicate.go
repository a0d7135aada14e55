package guarded

import (
	"context"
	"encoding/json"

	ckafka "github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type songSent struct {
	EventID string `json:"eventId"`
	Song    string `json:"song"`
	Text    string `json:"text"`
}

// SongWorker is a guarded write: the duplicate of the payload's _id is taken as success.
type SongWorker struct {
	consumer *ckafka.Consumer
	coll     *mongo.Collection
}

func NewSongWorker(brokers string, coll *mongo.Collection) (*SongWorker, error) {
	c, err := ckafka.NewConsumer(&ckafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "song"})
	if err != nil {
		return nil, err
	}
	return &SongWorker{consumer: c, coll: coll}, c.Subscribe("song.sent", nil)
}

func (w *SongWorker) Run(ctx context.Context) error {
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

func (w *SongWorker) handle(ctx context.Context, body []byte) error {
	var e songSent
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := w.coll.InsertOne(ctx, bson.M{"_id": e.Song, "text": e.Text})
	if mongo.IsDuplicateKeyError(err) {
		return nil
	}
	return err
}
