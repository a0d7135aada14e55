package guarded

import (
	"context"
	"encoding/json"
	"log"

	"github.com/jmoiron/sqlx"
	"github.com/segmentio/kafka-go"
)

type profileChanged struct {
	EventID string `json:"eventId"`
	Login   string `json:"login"`
	Email   string `json:"email"`
}

// ProfileWorker is an overwriting upsert through sqlx's NamedExec.
type ProfileWorker struct {
	reader *kafka.Reader
	db     *sqlx.DB
}

func NewProfileWorker(brokers []string, db *sqlx.DB) *ProfileWorker {
	return &ProfileWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "profile.changed", GroupID: "profile"}),
		db:     db,
	}
}

func (w *ProfileWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("profile.changed at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *ProfileWorker) handle(ctx context.Context, body []byte) error {
	var e profileChanged
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	const q = `INSERT INTO profiles (login, email) VALUES (:login, :email) ON CONFLICT (login) DO UPDATE SET email = :email`
	_, err := w.db.NamedExecContext(ctx, q, map[string]any{"login": e.Login, "email": e.Email}) // want "R-KFK-IDEM-X1.*overwrit"
	return err
}
