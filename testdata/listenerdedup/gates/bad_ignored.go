package gates

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/segmentio/kafka-go"
)

type lessonGiven struct {
	EventID string `json:"eventId"`
	Teacher string `json:"teacher"`
	Hours   int    `json:"hours"`
}

// LessonWorker marks the event and never reads how many rows that changed.
type LessonWorker struct {
	reader *kafka.Reader
	db     *sql.DB
}

func NewLessonWorker(brokers []string, db *sql.DB) *LessonWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "lesson.given", GroupID: "lesson"})
	return &LessonWorker{reader: r, db: db}
}

func (w *LessonWorker) Run(ctx context.Context) error {
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

func (w *LessonWorker) handle(ctx context.Context, m kafka.Message) error {
	var e lessonGiven
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'lessons') ON CONFLICT DO NOTHING`, e.EventID); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE teachers SET hours = hours + $1 WHERE id = $2`, e.Hours, e.Teacher); err != nil { // want "R-KFK-IDEM-X1"
		return err
	}
	return tx.Commit()
}
