package effects

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/Masterminds/squirrel"
	"github.com/segmentio/kafka-go"
)

type steelCast struct {
	EventID string `json:"eventId"`
	Plant   string `json:"plant"`
	Tons    int    `json:"tons"`
}

// SteelWorker is sound: the text of a squirrel update stands behind the mark in its own transaction.
type SteelWorker struct {
	reader *kafka.Reader
	db     *sql.DB
}

func NewSteelWorker(brokers []string, db *sql.DB) *SteelWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "steel.cast", GroupID: "steel"})
	return &SteelWorker{reader: r, db: db}
}

func (w *SteelWorker) Run(ctx context.Context) error {
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

func (w *SteelWorker) handle(ctx context.Context, m kafka.Message) error {
	var e steelCast
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'steel') ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	query, args, err := squirrel.Update("plants").Set("steel", squirrel.Expr("steel + ?", e.Tons)).Where(squirrel.Eq{"id": e.Plant}).PlaceholderFormat(squirrel.Dollar).ToSql()
	if err != nil {
		return err
	}
	if _, err = tx.ExecContext(ctx, query, args...); err != nil {
		return err
	}
	return tx.Commit()
}
