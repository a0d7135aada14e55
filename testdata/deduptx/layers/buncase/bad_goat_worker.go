package buncase

import (
	"context"
	"database/sql"
	"encoding/json"

	wmkafka "github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/uptrace/bun"
)

type goatWorkerEvent struct {
	EventID string `json:"eventId"`
	Farm    string `json:"farm"`
}

// GoatWorker updates on bun's database inside RunInTx.
type GoatWorker struct {
	db *bun.DB
}

// Register binds the handler.
func (w *GoatWorker) Register(router *message.Router, sub *wmkafka.Subscriber) {
	router.AddNoPublisherHandler("goatworker", "goatworker", sub, func(msg *message.Message) error {
		return w.handle(msg.Context(), msg.Payload)
	})
}

func (w *GoatWorker) handle(ctx context.Context, payload []byte) error {
	var e goatWorkerEvent
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
		_, err = w.db.NewUpdate().Table("farms").Set("goats = goats + 1").Where("id = ?", e.Farm).Exec(ctx) // want "R-KFK-IDEM-3"
		return err
	})
}

type seenRow struct {
	bun.BaseModel `bun:"table:processed_events"`

	EventID string `bun:"event_id,pk"`
}
