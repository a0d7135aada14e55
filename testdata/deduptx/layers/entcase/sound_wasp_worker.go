package entcase

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"example.com/cases/onconflict/entcase/ent"
	"example.com/cases/onconflict/entcase/ent/processedevent"
	"github.com/twmb/franz-go/pkg/kgo"
)

type waspWorkerEvent struct {
	EventID string `json:"eventId"`
	Farm    string `json:"farm"`
}

// WaspWorker creates with the transaction; right.
type WaspWorker struct {
	client *ent.Client
	kafka  *kgo.Client
}

// Run polls.
func (w *WaspWorker) Run(ctx context.Context) error {
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

func (w *WaspWorker) handle(ctx context.Context, payload []byte) error {
	var e waspWorkerEvent
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	tx, err := w.client.Tx(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	err = tx.ProcessedEvent.Create().SetID(e.EventID).SetConsumerGroup("farms").OnConflictColumns(processedevent.FieldID).DoNothing().Exec(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := tx.Shipment.Create().SetOrderID(e.EventID).SetAddress(e.Farm).Exec(ctx); err != nil {
		return err
	}
	return tx.Commit()
}
