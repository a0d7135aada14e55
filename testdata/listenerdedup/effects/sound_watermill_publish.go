package effects

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/segmentio/kafka-go"
)

type newsShared struct {
	EventID string `json:"eventId"`
	Title   string `json:"title"`
}

// ShareWorker is sound for this rule: a publish with watermill stands behind the mark of the event.
type ShareWorker struct {
	reader *kafka.Reader
	db     *sql.DB
	pub    message.Publisher
}

func NewShareWorker(brokers []string, db *sql.DB, pub message.Publisher) *ShareWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "news.shared", GroupID: "share"})
	return &ShareWorker{reader: r, db: db, pub: pub}
}

func (w *ShareWorker) Run(ctx context.Context) error {
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

func (w *ShareWorker) handle(ctx context.Context, m kafka.Message) error {
	var e newsShared
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	res, err := w.db.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'share') ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	return w.pub.Publish("news.out", message.NewMessage(e.EventID, m.Value))
}
