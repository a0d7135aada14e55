package twotx

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/lib/pq"
	"github.com/segmentio/kafka-go"
)

type tollPaid struct {
	EventID string `json:"eventId"`
	Road    string `json:"road"`
	Cents   int64  `json:"cents"`
}

// TollWorker begins a transaction per attempt in one variable; right: every attempt has its own mark and its own work.
type TollWorker struct {
	reader *kafka.Reader
	db     *sql.DB
}

func NewTollWorker(brokers []string, db *sql.DB) *TollWorker {
	return &TollWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "toll.paid", GroupID: "toll-ledger"}),
		db:     db,
	}
}

func (w *TollWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.collect(ctx, m.Value); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (w *TollWorker) collect(ctx context.Context, payload []byte) error {
	var e tollPaid
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	var tx *sql.Tx
	var err error
	for attempt := 0; attempt < 3; attempt++ {
		tx, err = w.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable})
		if err != nil {
			return err
		}
		if err = w.work(ctx, tx, e); err == nil {
			err = tx.Commit()
		} else {
			tx.Rollback()
		}
		var pqErr *pq.Error
		if !errors.As(err, &pqErr) || pqErr.Code != "40001" {
			return err
		}
	}
	return err
}

func (w *TollWorker) work(ctx context.Context, tx *sql.Tx, e tollPaid) error {
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE roads SET earned = earned + $1 WHERE id = $2`, e.Cents, e.Road)
	return err
}
