package sqlccase

import (
	"context"
	"encoding/json"

	"example.com/cases/onconflict/sqlccase/db"
	wmkafka "github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type bullWorkerEvent struct {
	EventID string `json:"eventId"`
	Farm    string `json:"farm"`
}

// BullWorker binds the queries anew; right.
type BullWorker struct {
	pool    *pgxpool.Pool
	queries *db.Queries
}

// Register binds the handler.
func (w *BullWorker) Register(router *message.Router, sub *wmkafka.Subscriber) {
	router.AddNoPublisherHandler("bullworker", "bullworker", sub, func(msg *message.Message) error {
		return w.handle(msg.Context(), msg.Payload)
	})
}

func (w *BullWorker) handle(ctx context.Context, payload []byte) error {
	var e bullWorkerEvent
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		q := w.queries.WithTx(tx)
		n, err := q.TryMarkProcessed(ctx, db.TryMarkProcessedParams{EventID: e.EventID, ConsumerGroup: "farms"})
		if err != nil || n == 0 {
			return err
		}
		return db.New(tx).CreatePermit(ctx, e.EventID, e.Farm)
	})
}
