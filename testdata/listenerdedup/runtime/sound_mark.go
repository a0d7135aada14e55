package runtime

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/idemlint/idemlint/idem"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Tolls marks on its own transaction.
type Tolls struct {
	pool  *pgxpool.Pool
	store *idem.Store[pgx.Tx]
}

// ConsumeClaim books each fare once.
func (t *Tolls) ConsumeClaim(s sarama.ConsumerGroupSession, c sarama.ConsumerGroupClaim) error {
	for m := range c.Messages() {
		var f Fare
		if err := json.Unmarshal(m.Value, &f); err != nil {
			return err
		}
		if err := t.book(s.Context(), f); err != nil {
			return err
		}
		s.MarkMessage(m, "")
	}
	return nil
}

func (t *Tolls) book(ctx context.Context, f Fare) error {
	return pgx.BeginFunc(ctx, t.pool, func(tx pgx.Tx) error {
		first, err := t.store.TryMarkProcessed(ctx, tx, f.EventID, "tolls")
		if err != nil || !first {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE drivers SET cents = cents + $1 WHERE id = $2`, f.Cents, f.Driver)
		return err
	})
}
