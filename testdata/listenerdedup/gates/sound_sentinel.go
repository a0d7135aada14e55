package gates

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	ckafka "github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type stoneCut struct {
	EventID string `json:"eventId"`
	Site    string `json:"site"`
	Tons    int    `json:"tons"`
}

// QuarryWorker is sound: register answers a duplicate with a sentinel error, and errors.Is makes the worker return.
type QuarryWorker struct {
	consumer *ckafka.Consumer
	pool     *pgxpool.Pool
}

func NewQuarryWorker(brokers string, pool *pgxpool.Pool) (*QuarryWorker, error) {
	c, err := ckafka.NewConsumer(&ckafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "quarry"})
	if err != nil {
		return nil, err
	}
	return &QuarryWorker{consumer: c, pool: pool}, c.Subscribe("stone.cut", nil)
}

func (w *QuarryWorker) Run(ctx context.Context) error {
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

func (w *QuarryWorker) handle(ctx context.Context, body []byte) error {
	var e stoneCut
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		err := w.register(ctx, tx, e.EventID)
		if errors.Is(err, errStoneSeen) {
			return nil
		}
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE sites SET tons = tons + $1 WHERE id = $2`, e.Tons, e.Site)
		return err
	})
}

var errStoneSeen = errors.New("event was processed before")

func (w *QuarryWorker) register(ctx context.Context, tx pgx.Tx, id string) error {
	tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'sites') ON CONFLICT DO NOTHING`, id)
	if err != nil {
		return fmt.Errorf("register %s: %w", id, err)
	}
	if tag.RowsAffected() == 0 {
		return errStoneSeen
	}
	return nil
}
