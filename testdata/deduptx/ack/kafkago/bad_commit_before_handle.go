package kafkagocase

import (
	"context"
	"encoding/json"

	"github.com/jmoiron/sqlx"
	"github.com/segmentio/kafka-go"
)

type parcelOut struct {
	EventID string `json:"eventId"`
	Depot   string `json:"depot"`
}

// GateWorker commits the message in the loop, before it calls the handler with the transaction.
type GateWorker struct {
	reader *kafka.Reader
	db     *sqlx.DB
}

func NewGateWorker(brokers []string, db *sqlx.DB) *GateWorker {
	return &GateWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "parcelOut", GroupID: "depots"}),
		db:     db,
	}
}

func (w *GateWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil { // want "R-KFK-IDEM-3"
			return err
		}
		if err := w.handle(ctx, m); err != nil {
			return err
		}
	}
}

func (w *GateWorker) handle(ctx context.Context, m kafka.Message) error {
	var e parcelOut
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
