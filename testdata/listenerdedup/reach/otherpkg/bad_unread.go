package otherpkg

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"example.com/cases/listenerdedup/reach/otherpkg/ledger"
)

type dividendDue struct {
	EventID string `json:"eventId"`
	Account string `json:"account"`
	Cents   int64  `json:"cents"`
}

// DividendWorker calls the other package's gate and does not read its answer.
type DividendWorker struct {
	pool *pgxpool.Pool
}

func NewDividendWorker(pool *pgxpool.Pool) *DividendWorker {
	return &DividendWorker{pool: pool}
}

func (w *DividendWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *DividendWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *DividendWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *DividendWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e dividendDue
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		if _, err := ledger.FirstTime(ctx, tx, "dividends", e.EventID); err != nil {
			return err
		}
		return ledger.BookIn(ctx, tx, e.Account, e.Cents) // want "R-KFK-IDEM-X1"
	})
}
