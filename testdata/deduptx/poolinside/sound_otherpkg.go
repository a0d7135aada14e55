package poolinside

import (
	"context"
	"encoding/json"
	"time"

	"example.com/cases/deduptx/poolinside/repo"
	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/jackc/pgx/v5/pgxpool"
)

type fieldBooked struct {
	EventID string `json:"eventId"`
	Court   string `json:"court"`
}

// FieldWorker calls the same package's function for a transaction, and the pool's repository for a read; right: what is written is in the transaction.
type FieldWorker struct {
	consumer *kafka.Consumer
	pool     *pgxpool.Pool
	courts   *repo.Courts
}

func NewFieldWorker(brokers string, pool *pgxpool.Pool) (*FieldWorker, error) {
	consumer, err := kafka.NewConsumer(&kafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "field-ledger", "enable.auto.commit": false})
	if err != nil {
		return nil, err
	}
	return &FieldWorker{consumer: consumer, pool: pool, courts: repo.NewCourts(pool)}, consumer.Subscribe("field.booked", nil)
}

func (w *FieldWorker) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		msg, err := w.consumer.ReadMessage(time.Second)
		if err != nil {
			continue
		}
		if err := w.book(ctx, msg.Value); err != nil {
			return err
		}
		if _, err := w.consumer.CommitMessage(msg); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (w *FieldWorker) book(ctx context.Context, payload []byte) error {
	var e fieldBooked
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	tx, err := w.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	if n, err := w.courts.Hours(ctx, e.Court); err != nil || n > 16 {
		return err
	}
	if err := repo.AddHourTx(ctx, tx, e.Court); err != nil {
		return err
	}
	return tx.Commit(ctx)
}
