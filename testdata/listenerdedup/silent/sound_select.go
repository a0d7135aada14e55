package silent

import (
	"context"
	"encoding/json"
	"log"

	ckafka "github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/jmoiron/sqlx"
)

type lookupAsked struct {
	EventID string `json:"eventId"`
	City    string `json:"city"`
}

// LookupWorker only reads the database.
type LookupWorker struct {
	consumer *ckafka.Consumer
	db       *sqlx.DB
}

func NewLookupWorker(brokers string, db *sqlx.DB) (*LookupWorker, error) {
	c, err := ckafka.NewConsumer(&ckafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "lookup"})
	if err != nil {
		return nil, err
	}
	return &LookupWorker{consumer: c, db: db}, c.Subscribe("lookup.asked", nil)
}

func (w *LookupWorker) Run(ctx context.Context) error {
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

func (w *LookupWorker) handle(ctx context.Context, body []byte) error {
	var e lookupAsked
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	var n int
	if err := w.db.GetContext(ctx, &n, `SELECT count(*) FROM addresses WHERE city = $1`, e.City); err != nil {
		return err
	}
	log.Printf("%s has %d addresses", e.City, n)
	return nil
}
