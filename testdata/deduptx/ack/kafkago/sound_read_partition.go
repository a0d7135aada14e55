package kafkagocase

import (
	"context"
	"encoding/json"

	"github.com/jmoiron/sqlx"
	"github.com/segmentio/kafka-go"
)

type parcelMoved struct {
	EventID string `json:"eventId"`
	Depot   string `json:"depot"`
}

// RebuildWorker reads with ReadMessage a partition without a group; right: without a group nothing is committed on read.
type RebuildWorker struct {
	reader *kafka.Reader
	db     *sqlx.DB
}

func NewRebuildWorker(brokers []string, db *sqlx.DB) *RebuildWorker {
	return &RebuildWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "parcels.moved", Partition: 0}),
		db:     db,
	}
}

func (w *RebuildWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.handle(ctx, m); err != nil {
			return err
		}
	}
}

func (w *RebuildWorker) handle(ctx context.Context, m kafka.Message) error {
	var e parcelMoved
	if err := json.Unmarshal(m.Value, &e); err != nil {
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
	if _, err := tx.ExecContext(ctx, `UPDATE depots SET parcels = parcels + 1 WHERE id = $1`, e.Depot); err != nil {
		return err
	}
	return tx.Commit()
}
