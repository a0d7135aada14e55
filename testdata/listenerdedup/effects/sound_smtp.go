package effects

import (
	"context"
	"database/sql"
	"encoding/json"
	"log"
	"net/smtp"

	"github.com/segmentio/kafka-go"
)

type cardAsked struct {
	EventID string `json:"eventId"`
	To      string `json:"to"`
	Text    string `json:"text"`
}

// PostWorker is sound for this rule: an e-mail stands behind the mark of the event.
type PostWorker struct {
	reader *kafka.Reader
	db     *sql.DB
	addr   string
	auth   smtp.Auth
}

func NewPostWorker(brokers []string, db *sql.DB, addr string, auth smtp.Auth) *PostWorker {
	return &PostWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "card.asked", GroupID: "post"}),
		db:     db, addr: addr, auth: auth,
	}
}

func (w *PostWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("card.asked at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *PostWorker) handle(ctx context.Context, body []byte) error {
	var e cardAsked
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	res, err := w.db.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'post') ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	text := "Subject: your order\r\n\r\n" + e.Text
	return smtp.SendMail(w.addr, w.auth, "shop@example.org", []string{e.To}, []byte(text))
}
