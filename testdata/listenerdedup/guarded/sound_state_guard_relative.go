package guarded

import (
	"context"
	"encoding/json"

	ckafka "github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/jackc/pgx/v5/pgxpool"
)

type loyaltyGranted struct {
	EventID string `json:"eventId"`
	Grant   string `json:"grant"`
}

// LoyaltyWorker is a guarded write: the addition is tied to the state that the same statement leaves.
type LoyaltyWorker struct {
	consumer *ckafka.Consumer
	pool     *pgxpool.Pool
}

func NewLoyaltyWorker(brokers string, pool *pgxpool.Pool) (*LoyaltyWorker, error) {
	c, err := ckafka.NewConsumer(&ckafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "loyalty"})
	if err != nil {
		return nil, err
	}
	return &LoyaltyWorker{consumer: c, pool: pool}, c.Subscribe("loyalty.granted", nil)
}

func (w *LoyaltyWorker) Run(ctx context.Context) error {
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

func (w *LoyaltyWorker) handle(ctx context.Context, body []byte) error {
	var e loyaltyGranted
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := w.pool.Exec(ctx, `UPDATE grants SET points = points + 10, state = 'granted' WHERE id = $1 AND state = 'open'`, e.Grant)
	return err
}
