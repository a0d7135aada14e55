package guarded

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5/pgxpool"
)

type refundCleared struct {
	EventID string `json:"eventId"`
	Refund  string `json:"refund"`
	Status  string `json:"status"`
}

// RefundWorker sets the status whatever it was: a late replay takes "settled" back to "cleared".
type RefundWorker struct {
	pool *pgxpool.Pool
}

func NewRefundWorker(pool *pgxpool.Pool) *RefundWorker {
	return &RefundWorker{pool: pool}
}

func (w *RefundWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *RefundWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *RefundWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *RefundWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e refundCleared
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	_, err := w.pool.Exec(ctx, `UPDATE refunds SET status = $2 WHERE id = $1`, e.Refund, e.Status) // want "R-KFK-IDEM-X1.*overwrit"
	return err
}
