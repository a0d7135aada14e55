package guarded

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type holdCaptured struct {
	EventID string `json:"eventId"`
	Hold    string `json:"hold"`
	Account string `json:"account"`
	Cents   int64  `json:"cents"`
}

// CaptureWorker changes the hold once, but moves the balance whatever that changed.
type CaptureWorker struct {
	pool *pgxpool.Pool
}

func NewCaptureWorker(pool *pgxpool.Pool) *CaptureWorker {
	return &CaptureWorker{pool: pool}
}

func (w *CaptureWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *CaptureWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *CaptureWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *CaptureWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e holdCaptured
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE holds SET state = 'captured' WHERE id = $1 AND state = 'held'`, e.Hold); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE accounts SET balance = balance - $1 WHERE id = $2`, e.Cents, e.Account) // want "R-KFK-IDEM-X1"
		return err
	})
}
