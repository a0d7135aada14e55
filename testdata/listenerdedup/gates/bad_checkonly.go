package gates

import (
	"context"
	"encoding/json"

	ckafka "github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/jmoiron/sqlx"
)

type carParked struct {
	EventID string `json:"eventId"`
	Garage  string `json:"garage"`
	Spaces  int    `json:"spaces"`
}

// ParkingWorker asks whether the event is known, but nothing in this service ever records one.
type ParkingWorker struct {
	consumer *ckafka.Consumer
	db       *sqlx.DB
}

func NewParkingWorker(brokers string, db *sqlx.DB) (*ParkingWorker, error) {
	c, err := ckafka.NewConsumer(&ckafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "parking"})
	if err != nil {
		return nil, err
	}
	return &ParkingWorker{consumer: c, db: db}, c.Subscribe("car.parked", nil)
}

func (w *ParkingWorker) Run(ctx context.Context) error {
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

func (w *ParkingWorker) handle(ctx context.Context, body []byte) error {
	var e carParked
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	var known bool
	if err := w.db.GetContext(ctx, &known, `SELECT EXISTS (SELECT 1 FROM processed_events WHERE event_id = $1)`, e.EventID); err != nil {
		return err
	}
	if known {
		return nil
	}
	_, err := w.db.ExecContext(ctx, `UPDATE garages SET free = free - $1 WHERE id = $2`, e.Spaces, e.Garage) // want "R-KFK-IDEM-X1"
	return err
}
