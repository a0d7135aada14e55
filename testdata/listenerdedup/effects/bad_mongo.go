package effects

import (
	"context"
	"encoding/json"

	ckafka "github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type filmShot struct {
	EventID string `json:"eventId"`
	Set     string `json:"set"`
	Text    string `json:"text"`
}

// FilmWorker has an InsertOne as its effect and no gate.
type FilmWorker struct {
	consumer *ckafka.Consumer
	coll     *mongo.Collection
	events   *mongo.Collection
}

func NewFilmWorker(brokers string, coll *mongo.Collection, events *mongo.Collection) (*FilmWorker, error) {
	c, err := ckafka.NewConsumer(&ckafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "film"})
	if err != nil {
		return nil, err
	}
	return &FilmWorker{consumer: c, coll: coll, events: events}, c.Subscribe("film.shot", nil)
}

func (w *FilmWorker) Run(ctx context.Context) error {
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

func (w *FilmWorker) handle(ctx context.Context, body []byte) error {
	var e filmShot
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := w.coll.InsertOne(ctx, bson.M{"set": e.Set, "text": e.Text}) // want "R-KFK-IDEM-X1"
	return err
}
