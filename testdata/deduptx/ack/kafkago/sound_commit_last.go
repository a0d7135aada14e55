package kafkagocase

import (
	"context"
	"encoding/json"

	"github.com/jmoiron/sqlx"
	"github.com/segmentio/kafka-go"
)

type parcelSorted struct {
	EventID string `json:"eventId"`
	Depot   string `json:"depot"`
}

// SorterWorker commits the message after the transaction; right: a crash between brings the record again, and the gate knows it.
type SorterWorker struct {
	reader *kafka.Reader
	db     *sqlx.DB
}

func NewSorterWorker(brokers []string, db *sqlx.DB) *SorterWorker {
	return &SorterWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "parcelSorted", GroupID: "depots"}),
		db:     db,
	}
}

func (w *SorterWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.handle(ctx, m); err != nil {
			return err
		}
	}
}

func (w *SorterWorker) handle(ctx context.Context, m kafka.Message) error {
	var e parcelSorted
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
	if err := tx.Commit(); err != nil {
		return err
	}
	return w.reader.CommitMessages(ctx, m)
}
