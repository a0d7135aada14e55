package effects

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"net/http"

	"github.com/segmentio/kafka-go"
)

type friendMet struct {
	EventID string `json:"eventId"`
	Friend  string `json:"friend"`
}

// GreetWorker is sound for this rule: an HTTP POST stands behind the mark of the event.
type GreetWorker struct {
	reader *kafka.Reader
	db     *sql.DB
	url    string
}

func NewGreetWorker(brokers []string, db *sql.DB, url string) *GreetWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "friend.met", GroupID: "greet"})
	return &GreetWorker{reader: r, db: db, url: url}
}

func (w *GreetWorker) Run(ctx context.Context) error {
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

func (w *GreetWorker) handle(ctx context.Context, m kafka.Message) error {
	var e friendMet
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	res, err := w.db.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'greet') ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	payload, err := json.Marshal(map[string]string{"friend": e.Friend})
	if err != nil {
		return err
	}
	resp, err := http.Post(w.url, "application/json", bytes.NewReader(payload))
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
