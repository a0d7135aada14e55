package goqucase

import (
	"context"
	"encoding/json"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/doug-martin/goqu/v9"
)

type foalWorkerEvent struct {
	EventID string `json:"eventId"`
	Farm    string `json:"farm"`
}

// FoalWorker updates on the transaction; right.
type FoalWorker struct {
	db       *goqu.Database
	consumer *kafka.Consumer
}

// Run polls.
func (w *FoalWorker) Run(ctx context.Context) error {
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

func (w *FoalWorker) handle(ctx context.Context, payload []byte) error {
	var e foalWorkerEvent
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
		_, err = tx.Update("farms").Set(goqu.Record{"ponies": goqu.L("ponies + 1")}).Where(goqu.C("id").Eq(e.Farm)).Executor().ExecContext(ctx)
		return err
	})
}
