package sqlccase

import (
	"context"
	"encoding/json"

	"example.com/cases/onconflict/sqlccase/db"
	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type calfWorkerEvent struct {
	EventID string `json:"eventId"`
	Farm    string `json:"farm"`
}

// CalfWorker uses the queries bound to the transaction; right.
type CalfWorker struct {
	pool     *pgxpool.Pool
	queries  *db.Queries
	consumer *kafka.Consumer
}

// Run polls.
func (w *CalfWorker) Run(ctx context.Context) error {
	for {
		msg, err := w.consumer.ReadMessage(-1)
		if err != nil {
			return err
		}
		if err := w.handle(ctx, msg.Value); err != nil {
			return err
		}
		if _, err := w.consumer.CommitMessage(msg); err != nil {
			return err
		}
	}
}

func (w *CalfWorker) handle(ctx context.Context, payload []byte) error {
	var e calfWorkerEvent
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		q := w.queries.WithTx(tx)
		n, err := q.TryMarkProcessed(ctx, db.TryMarkProcessedParams{EventID: e.EventID, ConsumerGroup: "farms"})
		if err != nil || n == 0 {
			return err
		}
		return q.CreatePermit(ctx, e.EventID, e.Farm)
	})
}
