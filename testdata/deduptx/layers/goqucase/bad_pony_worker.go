package goqucase

import (
	"context"
	"encoding/json"

	"github.com/doug-martin/goqu/v9"
	"github.com/twmb/franz-go/pkg/kgo"
)

type ponyWorkerEvent struct {
	EventID string `json:"eventId"`
	Farm    string `json:"farm"`
}

// PonyWorker updates on the database inside WithTx.
type PonyWorker struct {
	db    *goqu.Database
	kafka *kgo.Client
}

// Run polls.
func (w *PonyWorker) Run(ctx context.Context) error {
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

func (w *PonyWorker) handle(ctx context.Context, payload []byte) error {
	var e ponyWorkerEvent
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	return w.db.WithTx(func(tx *goqu.TxDatabase) error {
		res, err := tx.Insert("processed_events").Rows(goqu.Record{"event_id": e.EventID}).OnConflict(goqu.DoNothing()).Executor().ExecContext(ctx)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return err
		}
		_, err = w.db.Update("farms").Set(goqu.Record{"ponies": goqu.L("ponies + 1")}).Where(goqu.C("id").Eq(e.Farm)).Executor().ExecContext(ctx) // want "R-KFK-IDEM-3"
		return err
	})
}
