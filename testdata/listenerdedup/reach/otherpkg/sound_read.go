package otherpkg

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"example.com/cases/listenerdedup/reach/otherpkg/ledger"
)

type pensionDue struct {
	EventID string `json:"eventId"`
	Account string `json:"account"`
	Cents   int64  `json:"cents"`
}

// PensionWorker is sound: the other package's gate decides whether its effect is called.
type PensionWorker struct {
	pool *pgxpool.Pool
}

func NewPensionWorker(pool *pgxpool.Pool) *PensionWorker {
	return &PensionWorker{pool: pool}
}

func (w *PensionWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *PensionWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *PensionWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *PensionWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e pensionDue
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		first, err := ledger.FirstTime(ctx, tx, "pensions", e.EventID)
		if err != nil {
			return err
		}
		if first {
			return ledger.BookIn(ctx, tx, e.Account, e.Cents)
		}
		return nil
	})
}
