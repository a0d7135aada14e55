package poolinside

import (
	"context"
	"encoding/json"
	"time"

	"example.com/cases/deduptx/poolinside/repo"
	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/jackc/pgx/v5/pgxpool"
)

type courtBooked struct {
	EventID string `json:"eventId"`
	Court   string `json:"court"`
}

// CourtWorker calls another package's repository, which writes on the pool, from inside the transaction.
type CourtWorker struct {
	consumer *kafka.Consumer
	pool     *pgxpool.Pool
	courts   *repo.Courts
}

func NewCourtWorker(brokers string, pool *pgxpool.Pool) (*CourtWorker, error) {
	consumer, err := kafka.NewConsumer(&kafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "court-ledger", "enable.auto.commit": false})
	if err != nil {
		return nil, err
	}
	return &CourtWorker{consumer: consumer, pool: pool, courts: repo.NewCourts(pool)}, consumer.Subscribe("court.booked", nil)
}

func (w *CourtWorker) Run(ctx context.Context) error {
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

func (w *CourtWorker) book(ctx context.Context, payload []byte) error {
	var e courtBooked
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
	if err := w.courts.AddHour(ctx, e.Court); err != nil { // want "R-KFK-IDEM-3"
		return err
	}
	return tx.Commit(ctx)
}
