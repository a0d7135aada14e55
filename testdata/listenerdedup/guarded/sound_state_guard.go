package guarded

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5/pgxpool"
)

type paymentCleared struct {
	EventID string `json:"eventId"`
	Payment string `json:"payment"`
}

// PaymentWorker is a guarded write: only a pending payment is changed, and the change ends its being pending.
type PaymentWorker struct {
	pool *pgxpool.Pool
}

func NewPaymentWorker(pool *pgxpool.Pool) *PaymentWorker {
	return &PaymentWorker{pool: pool}
}

func (w *PaymentWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *PaymentWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *PaymentWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *PaymentWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e paymentCleared
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	_, err := w.pool.Exec(ctx, `UPDATE payments SET status = 'paid' WHERE id = $1 AND status = 'pending'`, e.Payment)
	return err
}
