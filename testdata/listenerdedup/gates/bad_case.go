package gates

import (
	"context"
	"encoding/json"
	"log"

	ckafka "github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type accountChanged struct {
	EventID string `json:"eventId"`
	Kind    string `json:"kind"`
	Account string `json:"account"`
	Cents   int64  `json:"cents"`
}

// AccountWorker guards two cases of its switch and forgets the third.
type AccountWorker struct {
	consumer *ckafka.Consumer
	pool     *pgxpool.Pool
}

func NewAccountWorker(brokers string, pool *pgxpool.Pool) (*AccountWorker, error) {
	c, err := ckafka.NewConsumer(&ckafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "account"})
	if err != nil {
		return nil, err
	}
	return &AccountWorker{consumer: c, pool: pool}, c.Subscribe("account.changed", nil)
}

func (w *AccountWorker) Run(ctx context.Context) error {
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

func (w *AccountWorker) handle(ctx context.Context, body []byte) error {
	var e accountChanged
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	switch e.Kind {
	case "opened":
		return w.once(ctx, e.EventID, func(tx pgx.Tx) error {
			_, err := tx.Exec(ctx, `INSERT INTO openings (account, cents) VALUES ($1, $2)`, e.Account, e.Cents)
			return err
		})
	case "paid-in":
		return w.once(ctx, e.EventID, func(tx pgx.Tx) error {
			_, err := tx.Exec(ctx, `UPDATE accounts SET cents = cents + $1 WHERE id = $2`, e.Cents, e.Account)
			return err
		})
	case "closed":
		_, err := w.pool.Exec(ctx, `INSERT INTO closings (account, cents) VALUES ($1, $2)`, e.Account, e.Cents) // want "R-KFK-IDEM-X1"
		return err
	default:
		log.Printf("kind %q is not for us", e.Kind)
		return nil
	}
}

func (w *AccountWorker) once(ctx context.Context, id string, work func(pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'accounts') ON CONFLICT DO NOTHING`, id)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return nil
		}
		return work(tx)
	})
}
