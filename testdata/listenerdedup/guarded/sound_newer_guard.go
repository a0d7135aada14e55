package guarded

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/segmentio/kafka-go"
)

type positionSent struct {
	EventID string `json:"eventId"`
	Ship    string `json:"ship"`
	Where   string `json:"where"`
	Version int64  `json:"version"`
}

// PositionWorker is a guarded write: an older version does not replace a newer one.
type PositionWorker struct {
	reader *kafka.Reader
	db     *sql.DB
}

func NewPositionWorker(brokers []string, db *sql.DB) *PositionWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "position.sent", GroupID: "position"})
	return &PositionWorker{reader: r, db: db}
}

func (w *PositionWorker) Run(ctx context.Context) error {
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

func (w *PositionWorker) handle(ctx context.Context, m kafka.Message) error {
	var e positionSent
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	_, err := w.db.ExecContext(ctx, `UPDATE ships SET place = $2, version = $3 WHERE id = $1 AND version < $3`, e.Ship, e.Where, e.Version)
	return err
}
