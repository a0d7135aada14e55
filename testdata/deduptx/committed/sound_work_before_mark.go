package committed

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/segmentio/kafka-go"
)

type gardenLeased struct {
	EventID string `json:"eventId"`
	Garden  string `json:"garden"`
}

// GardenWorker works first and marks after, and rolls back when the mark was there; right for this rule: one transaction holds both.
type GardenWorker struct {
	reader *kafka.Reader
	db     *sql.DB
}

func NewGardenWorker(brokers []string, db *sql.DB) *GardenWorker {
	return &GardenWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "garden.leased", GroupID: "garden-ledger"}),
		db:     db,
	}
}

func (w *GardenWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.lease(ctx, m.Value); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (w *GardenWorker) lease(ctx context.Context, payload []byte) error {
	var e gardenLeased
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `UPDATE gardens SET leases = leases + 1 WHERE id = $1`, e.Garden); err != nil {
		return err
	}
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err != nil || n == 0 {
		return err
	}
	return tx.Commit()
}
