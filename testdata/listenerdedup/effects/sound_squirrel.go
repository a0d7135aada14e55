package effects

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/Masterminds/squirrel"
	"github.com/segmentio/kafka-go"
)

type sugarMade struct {
	EventID string `json:"eventId"`
	Plant   string `json:"plant"`
	Tons    int    `json:"tons"`
}

// SugarWorker is sound: an insert with squirrel stands behind the mark in its own transaction.
type SugarWorker struct {
	reader *kafka.Reader
	db     *sql.DB
}

func NewSugarWorker(brokers []string, db *sql.DB) *SugarWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "sugar.made", GroupID: "sugar"})
	return &SugarWorker{reader: r, db: db}
}

func (w *SugarWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.handle(ctx, m); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (w *SugarWorker) handle(ctx context.Context, m kafka.Message) error {
	var e sugarMade
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'sugar') ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := squirrel.Insert("outputs").Columns("plant", "tons").Values(e.Plant, e.Tons).PlaceholderFormat(squirrel.Dollar).RunWith(tx).ExecContext(ctx); err != nil {
		return err
	}
	return tx.Commit()
}
