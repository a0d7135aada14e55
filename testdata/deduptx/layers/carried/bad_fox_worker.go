package carried

import (
	"context"
	"encoding/json"

	"example.com/cases/deduptx/layers/carried/store"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

type foxWorkerEvent struct {
	EventID string `json:"eventId"`
	Farm    string `json:"farm"`
}

// FoxWorker gives the repository a context without the transaction.
type FoxWorker struct {
	pool  *pgxpool.Pool
	inbox *store.Inbox
	farms *store.Farms
	kafka *kgo.Client
}

// Run polls.
func (w *FoxWorker) Run(ctx context.Context) error {
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

func (w *FoxWorker) handle(ctx context.Context, payload []byte) error {
	var e foxWorkerEvent
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	outer := ctx
	return store.WithinTx(ctx, w.pool, func(ctx context.Context) error {
		if first, err := w.inbox.TryMark(ctx, e.EventID); err != nil || !first {
			return err
		}
		return w.farms.Add(outer, e.Farm) // want "R-KFK-IDEM-3"
	})
}
