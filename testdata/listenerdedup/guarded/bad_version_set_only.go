package guarded

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/segmentio/kafka-go"
)

type courseSent struct {
	EventID string `json:"eventId"`
	Ship    string `json:"ship"`
	Degrees int    `json:"degrees"`
	Version int64  `json:"version"`
}

// CourseWorker stores the version but does not ask for it.
type CourseWorker struct {
	reader *kafka.Reader
	db     *sql.DB
}

func NewCourseWorker(brokers []string, db *sql.DB) *CourseWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "course.sent", GroupID: "course"})
	return &CourseWorker{reader: r, db: db}
}

func (w *CourseWorker) Run(ctx context.Context) error {
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

func (w *CourseWorker) handle(ctx context.Context, m kafka.Message) error {
	var e courseSent
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	_, err := w.db.ExecContext(ctx, `UPDATE ships SET course = $2, version = $3 WHERE id = $1`, e.Ship, e.Degrees, e.Version) // want "R-KFK-IDEM-X1.*overwrit"
	return err
}
