package guarded

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
)

type requestPlaced struct {
	EventID  string `json:"eventId"`
	Customer string `json:"customer"`
	Cents    int64  `json:"cents"`
}

// RequestWorker inserts with a generated id and no conflict clause.
type RequestWorker struct {
	pool *pgxpool.Pool
}

func NewRequestWorker(pool *pgxpool.Pool) *RequestWorker {
	return &RequestWorker{pool: pool}
}

func (w *RequestWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *RequestWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *RequestWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *RequestWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e requestPlaced
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	_, err := w.pool.Exec(ctx, `INSERT INTO requests (id, customer, cents) VALUES ($1, $2, $3)`, uuid.New(), e.Customer, e.Cents) // want "R-KFK-IDEM-X1"
	return err
}
