package guarded

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type holdReleased struct {
	EventID string `json:"eventId"`
	Hold    string `json:"hold"`
	Account string `json:"account"`
	Cents   int64  `json:"cents"`
}

// ReleaseWorker is guarded by the state: no row changed means that the hold was released before, and the addition is skipped.
type ReleaseWorker struct {
	pool *pgxpool.Pool
}

func NewReleaseWorker(pool *pgxpool.Pool) *ReleaseWorker {
	return &ReleaseWorker{pool: pool}
}

func (w *ReleaseWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *ReleaseWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *ReleaseWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *ReleaseWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e holdReleased
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `UPDATE holds SET state = 'released' WHERE id = $1 AND state = 'held'`, e.Hold)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return nil
		}
		_, err = tx.Exec(ctx, `UPDATE accounts SET balance = balance + $1 WHERE id = $2`, e.Cents, e.Account)
		return err
	})
}
