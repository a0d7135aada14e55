package guarded

import (
	"context"
	"encoding/json"
	"log"

	"github.com/jmoiron/sqlx"
	"github.com/segmentio/kafka-go"
)

type loginCreated struct {
	EventID string `json:"eventId"`
	Login   string `json:"login"`
	Email   string `json:"email"`
}

// LoginWorker is a guarded write: the same with DO NOTHING, an insert of what is absent.
type LoginWorker struct {
	reader *kafka.Reader
	db     *sqlx.DB
}

func NewLoginWorker(brokers []string, db *sqlx.DB) *LoginWorker {
	return &LoginWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "login.created", GroupID: "login"}),
		db:     db,
	}
}

func (w *LoginWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("login.created at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *LoginWorker) handle(ctx context.Context, body []byte) error {
	var e loginCreated
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	const q = `INSERT INTO profiles (login, email) VALUES (:login, :email) ON CONFLICT (login) DO NOTHING`
	_, err := w.db.NamedExecContext(ctx, q, map[string]any{"login": e.Login, "email": e.Email})
	return err
}
