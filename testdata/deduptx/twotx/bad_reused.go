package twotx

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/segmentio/kafka-go"
)

type rentPaid struct {
	EventID string `json:"eventId"`
	Flat    string `json:"flat"`
	Cents   int64  `json:"cents"`
}

// RentWorker begins two transactions in one variable: the mark is committed before the work begins.
type RentWorker struct {
	reader *kafka.Reader
	db     *sql.DB
}

func NewRentWorker(brokers []string, db *sql.DB) *RentWorker {
	return &RentWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "rents", GroupID: "flats"}),
		db:     db,
	}
}

func (w *RentWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.book(ctx, m.Value); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (w *RentWorker) book(ctx context.Context, payload []byte) error {
	var e rentPaid
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	tx, err := w.db.BeginTx(ctx, nil)
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
	if err := tx.Commit(); err != nil {
		return err
	}
	tx, err = w.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE flats SET paid = paid + $1 WHERE id = $2`, e.Cents, e.Flat); err != nil { // want "R-KFK-IDEM-3"
		tx.Rollback()
		return err
	}
	return tx.Commit()
}
