package buncase

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/uptrace/bun"
)

type lambWorkerEvent struct {
	EventID string `json:"eventId"`
	Farm    string `json:"farm"`
}

// LambWorker gives the transaction to a repository; right.
type LambWorker struct {
	db *bun.DB
}

// Setup does nothing.
func (w *LambWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

// Cleanup does nothing.
func (w *LambWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

// ConsumeClaim handles a partition's messages.
func (w *LambWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg.Value); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *LambWorker) handle(ctx context.Context, payload []byte) error {
	var e lambWorkerEvent
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	return w.db.RunInTx(ctx, &sql.TxOptions{}, func(ctx context.Context, tx bun.Tx) error {
		res, err := tx.NewInsert().Model(&seenRow{EventID: e.EventID}).On("CONFLICT DO NOTHING").Exec(ctx)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return err
		}
		_, err = farmsOn(tx).NewUpdate().Table("farms").Set("goats = goats + 1").Where("id = ?", e.Farm).Exec(ctx)
		return err
	})
}

func farmsOn(db bun.IDB) bun.IDB { return db }
