package jetcase

import (
	"context"
	"database/sql"
	"encoding/json"

	"example.com/cases/onconflict/jetcase/gen/table"
	"github.com/go-jet/jet/v2/postgres"
	"github.com/segmentio/kafka-go"
)

type donkeyWorkerEvent struct {
	EventID string `json:"eventId"`
	Farm    string `json:"farm"`
}

// DonkeyWorker runs the statement on the transaction; right.
type DonkeyWorker struct {
	db     *sql.DB
	reader *kafka.Reader
}

// Run polls.
func (w *DonkeyWorker) Run(ctx context.Context) error {
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

func (w *DonkeyWorker) handle(ctx context.Context, payload []byte) error {
	var e donkeyWorkerEvent
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	t := table.ProcessedEvents
	res, err := t.INSERT(t.EventID, t.ConsumerGroup).VALUES(e.EventID, "farms").ON_CONFLICT().DO_NOTHING().ExecContext(ctx, tx)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	b := table.Berths
	if _, err := b.INSERT(b.AllColumns).VALUES(postgres.String(e.Farm)).ExecContext(ctx, tx); err != nil {
		return err
	}
	return tx.Commit()
}
