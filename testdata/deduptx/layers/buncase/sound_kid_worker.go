package buncase

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/segmentio/kafka-go"
	"github.com/uptrace/bun"
)

type kidWorkerEvent struct {
	EventID string `json:"eventId"`
	Farm    string `json:"farm"`
}

// KidWorker updates on the transaction; right.
type KidWorker struct {
	db     *bun.DB
	reader *kafka.Reader
}

// Run polls.
func (w *KidWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.handle(ctx, m.Value); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (w *KidWorker) handle(ctx context.Context, payload []byte) error {
	var e kidWorkerEvent
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
		_, err = tx.NewUpdate().Table("farms").Set("goats = goats + 1").Where("id = ?", e.Farm).Exec(ctx)
		return err
	})
}
