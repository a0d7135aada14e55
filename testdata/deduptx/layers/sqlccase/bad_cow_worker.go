package sqlccase

import (
	"context"
	"encoding/json"

	"example.com/cases/onconflict/sqlccase/db"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

type cowWorkerEvent struct {
	EventID string `json:"eventId"`
	Farm    string `json:"farm"`
}

// CowWorker uses the queries of the pool beside those of the transaction.
type CowWorker struct {
	pool    *pgxpool.Pool
	queries *db.Queries
	kafka   *kgo.Client
}

// Run polls.
func (w *CowWorker) Run(ctx context.Context) error {
	for {
		for _, rec := range w.kafka.PollFetches(ctx).Records() {
			if err := w.handle(ctx, rec.Value); err != nil {
				return err
			}
			if err := w.kafka.CommitRecords(ctx, rec); err != nil {
				return err
			}
		}
	}
}

func (w *CowWorker) handle(ctx context.Context, payload []byte) error {
	var e cowWorkerEvent
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		q := w.queries.WithTx(tx)
		n, err := q.TryMarkProcessed(ctx, db.TryMarkProcessedParams{EventID: e.EventID, ConsumerGroup: "farms"})
		if err != nil || n == 0 {
			return err
		}
		return w.queries.CreatePermit(ctx, e.EventID, e.Farm) // want "R-KFK-IDEM-3"
	})
}
