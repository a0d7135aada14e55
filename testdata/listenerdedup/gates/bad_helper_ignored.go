package gates

import (
	"context"
	"encoding/json"

	ckafka "github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type examPassed struct {
	EventID string `json:"eventId"`
	Student string `json:"student"`
	Points  int    `json:"points"`
}

// ExamWorker calls a gate that answers and throws the answer away.
type ExamWorker struct {
	consumer *ckafka.Consumer
	pool     *pgxpool.Pool
}

func NewExamWorker(brokers string, pool *pgxpool.Pool) (*ExamWorker, error) {
	c, err := ckafka.NewConsumer(&ckafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "exam"})
	if err != nil {
		return nil, err
	}
	return &ExamWorker{consumer: c, pool: pool}, c.Subscribe("exam.passed", nil)
}

func (w *ExamWorker) Run(ctx context.Context) error {
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

func (w *ExamWorker) handle(ctx context.Context, body []byte) error {
	var e examPassed
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		if _, err := w.claim(ctx, tx, e.EventID); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE students SET points = points + $1 WHERE id = $2`, e.Points, e.Student) // want "R-KFK-IDEM-X1"
		return err
	})
}

func (w *ExamWorker) claim(ctx context.Context, tx pgx.Tx, id string) (bool, error) {
	tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'exams') ON CONFLICT DO NOTHING`, id)
	return err == nil && tag.RowsAffected() == 1, err
}
