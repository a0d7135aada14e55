package sqlxcase

import (
	"context"
	"encoding/json"

	"github.com/jmoiron/sqlx"
	"github.com/twmb/franz-go/pkg/kgo"
)

type duckWorkerEvent struct {
	EventID string `json:"eventId"`
	Farm    string `json:"farm"`
}

// DuckWorker writes by name on the transaction; right.
type DuckWorker struct {
	db    *sqlx.DB
	kafka *kgo.Client
}

// Run polls.
func (w *DuckWorker) Run(ctx context.Context) error {
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

func (w *DuckWorker) handle(ctx context.Context, payload []byte) error {
	var e duckWorkerEvent
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	tx, err := w.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := tx.NamedExecContext(ctx, `UPDATE farms SET eggs = eggs + 1 WHERE id = :farm`, map[string]any{"farm": e.Farm}); err != nil {
		return err
	}
	return tx.Commit()
}
