package squirrelcase

import (
	"context"
	"database/sql"
	"encoding/json"

	sq "github.com/Masterminds/squirrel"
	"github.com/segmentio/kafka-go"
)

type pigWorkerEvent struct {
	EventID string `json:"eventId"`
	Farm    string `json:"farm"`
}

// PigWorker runs the builder with the database.
type PigWorker struct {
	db     *sql.DB
	reader *kafka.Reader
}

// Run polls.
func (w *PigWorker) Run(ctx context.Context) error {
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

func (w *PigWorker) handle(ctx context.Context, payload []byte) error {
	var e pigWorkerEvent
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := sq.Insert("processed_events").Columns("event_id").Values(e.EventID).Suffix("ON CONFLICT DO NOTHING").RunWith(tx).ExecContext(ctx)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	upd := sq.Update("farms").Set("pigs", sq.Expr("pigs + 1")).Where(sq.Eq{"id": e.Farm})
	if _, err := upd.RunWith(w.db).ExecContext(ctx); err != nil { // want "R-KFK-IDEM-3"
		return err
	}
	return tx.Commit()
}
