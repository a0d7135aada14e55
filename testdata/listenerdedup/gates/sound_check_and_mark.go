package gates

import (
	"context"
	"encoding/json"

	ckafka "github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/jmoiron/sqlx"
)

type boatMoored struct {
	EventID string `json:"eventId"`
	Harbour string `json:"harbour"`
	Berths  int    `json:"berths"`
}

// MooringWorker is sound for this rule: the check is followed by the record of the event in one transaction (that it is not atomic is another rule's business).
type MooringWorker struct {
	consumer *ckafka.Consumer
	db       *sqlx.DB
}

func NewMooringWorker(brokers string, db *sqlx.DB) (*MooringWorker, error) {
	c, err := ckafka.NewConsumer(&ckafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "mooring"})
	if err != nil {
		return nil, err
	}
	return &MooringWorker{consumer: c, db: db}, c.Subscribe("boat.moored", nil)
}

func (w *MooringWorker) Run(ctx context.Context) error {
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

func (w *MooringWorker) handle(ctx context.Context, body []byte) error {
	var e boatMoored
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	tx, err := w.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var known bool
	if err := tx.GetContext(ctx, &known, `SELECT EXISTS (SELECT 1 FROM processed_events WHERE event_id = $1)`, e.EventID); err != nil {
		return err
	}
	if known {
		return nil
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'harbours')`, e.EventID); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE harbours SET free = free - $1 WHERE id = $2`, e.Berths, e.Harbour); err != nil {
		return err
	}
	return tx.Commit()
}
