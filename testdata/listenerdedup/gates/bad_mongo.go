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

type waxSold struct {
	EventID string `json:"eventId"`
	Stall   string `json:"stall"`
	Grams   int    `json:"grams"`
}

// WaxWorker forgives a duplicate key in the events collection and goes on to the $inc.
type WaxWorker struct {
	reader *kafka.Reader
	events *mongo.Collection
	stalls *mongo.Collection
}

func NewWaxWorker(brokers []string, events *mongo.Collection, stalls *mongo.Collection) *WaxWorker {
	return &WaxWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "wax.sold", GroupID: "wax"}),
		events: events, stalls: stalls,
	}
}

func (w *WaxWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("wax.sold at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *WaxWorker) handle(ctx context.Context, body []byte) error {
	var e waxSold
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := w.events.InsertOne(ctx, bson.M{"_id": e.EventID, "at": time.Now()})
	if err != nil && !mongo.IsDuplicateKeyError(err) {
		return err
	}
	_, err = w.stalls.UpdateOne(ctx, bson.M{"_id": e.Stall}, bson.M{"$inc": bson.M{"grams": e.Grams}}) // want "R-KFK-IDEM-X1"
	return err
}
