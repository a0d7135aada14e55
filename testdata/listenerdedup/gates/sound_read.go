package gates

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/segmentio/kafka-go"
)

type lectureGiven struct {
	EventID string `json:"eventId"`
	Teacher string `json:"teacher"`
	Hours   int    `json:"hours"`
}

// LectureWorker is sound: it reads the rows of the mark and goes on with exactly one.
type LectureWorker struct {
	reader *kafka.Reader
	db     *sql.DB
}

func NewLectureWorker(brokers []string, db *sql.DB) *LectureWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "lecture.given", GroupID: "lecture"})
	return &LectureWorker{reader: r, db: db}
}

func (w *LectureWorker) Run(ctx context.Context) error {
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

func (w *LectureWorker) handle(ctx context.Context, m kafka.Message) error {
	var e lectureGiven
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'lectures') ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	switch n, err := res.RowsAffected(); {
	case err != nil:
		return err
	case n == 0:
		return nil
	}
	if _, err := tx.ExecContext(ctx, `UPDATE teachers SET hours = hours + $1 WHERE id = $2`, e.Hours, e.Teacher); err != nil {
		return err
	}
	return tx.Commit()
}
