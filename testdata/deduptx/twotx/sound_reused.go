package twotx

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/segmentio/kafka-go"
)

type depositPaid struct {
	EventID string `json:"eventId"`
	Flat    string `json:"flat"`
	Cents   int64  `json:"cents"`
}

// DepositWorker begins two transactions in one variable; right: the first one only reads, mark and work are both in the second.
type DepositWorker struct {
	reader *kafka.Reader
	db     *sql.DB
}

func NewDepositWorker(brokers []string, db *sql.DB) *DepositWorker {
	return &DepositWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "deposits", GroupID: "flats"}),
		db:     db,
	}
}

func (w *DepositWorker) Run(ctx context.Context) error {
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

func (w *DepositWorker) book(ctx context.Context, payload []byte) error {
	var e depositPaid
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	tx, err := w.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	var months int
	err = tx.QueryRowContext(ctx, `SELECT months FROM deposit_rules WHERE flat_id = $1`, e.Flat).Scan(&months)
	tx.Rollback()
	if err != nil {
		return err
	}
	tx, err = w.db.BeginTx(ctx, nil)
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
	if _, err := tx.ExecContext(ctx, `UPDATE flats SET deposit = deposit + $1 WHERE id = $2`, e.Cents*int64(months), e.Flat); err != nil {
		return err
	}
	return tx.Commit()
}
