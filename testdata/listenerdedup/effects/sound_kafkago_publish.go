package effects

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/segmentio/kafka-go"
)

type clickKept struct {
	EventID string `json:"eventId"`
	Page    string `json:"page"`
}

// RefineWorker is sound for this rule: a publish with kafka-go stands behind the mark of the event.
type RefineWorker struct {
	reader *kafka.Reader
	db     *sql.DB
	out    *kafka.Writer
}

func NewRefineWorker(brokers []string, db *sql.DB, out *kafka.Writer) *RefineWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "click.kept", GroupID: "refine"})
	return &RefineWorker{reader: r, db: db, out: out}
}

func (w *RefineWorker) Run(ctx context.Context) error {
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

func (w *RefineWorker) handle(ctx context.Context, m kafka.Message) error {
	var e clickKept
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	res, err := w.db.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'refine') ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	return w.out.WriteMessages(ctx, kafka.Message{Topic: "pages.enriched", Key: []byte(e.Page), Value: m.Value})
}
