package guarded

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5/pgxpool"
)

type balanceMoved struct {
	EventID string `json:"eventId"`
	Account string `json:"account"`
	Cents   int64  `json:"cents"`
}

// BalanceWorker is a relative update by key: a replay moves the balance again.
type BalanceWorker struct {
	pool *pgxpool.Pool
}

func NewBalanceWorker(pool *pgxpool.Pool) *BalanceWorker {
	return &BalanceWorker{pool: pool}
}

func (w *BalanceWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *BalanceWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *BalanceWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *BalanceWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e balanceMoved
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	_, err := w.pool.Exec(ctx, `UPDATE accounts SET balance = balance + $1 WHERE id = $2`, e.Cents, e.Account) // want "R-KFK-IDEM-X1"
	return err
}
