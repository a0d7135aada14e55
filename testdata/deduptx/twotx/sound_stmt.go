package twotx

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/segmentio/kafka-go"
)

type quillSold struct {
	EventID string `json:"eventId"`
	Shop    string `json:"shop"`
}

// QuillWorker prepares the gate once and binds it to each transaction; right.
type QuillWorker struct {
	reader *kafka.Reader
	db     *sql.DB
}

// Run prepares and polls.
func (w *QuillWorker) Run(ctx context.Context) error {
	gate, err := w.db.PrepareContext(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`)
	if err != nil {
		return err
	}
	defer gate.Close()
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var e quillSold
		if err := json.Unmarshal(m.Value, &e); err != nil {
			return err
		}
		if err := w.sell(ctx, gate, e); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (w *QuillWorker) sell(ctx context.Context, gate *sql.Stmt, e quillSold) error {
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.Stmt(gate).ExecContext(ctx, e.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE shops SET quills = quills - 1 WHERE id = $1`, e.Shop); err != nil {
		return err
	}
	return tx.Commit()
}
