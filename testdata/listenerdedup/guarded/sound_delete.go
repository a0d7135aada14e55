package guarded

import (
	"context"
	"encoding/json"
	"log"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type sessionEnded struct {
	EventID string `json:"eventId"`
	Session string `json:"session"`
}

// SessionWorker is a guarded write: a delete by key is the same the second time.
type SessionWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewSessionWorker(brokers []string, pool *pgxpool.Pool) *SessionWorker {
	return &SessionWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "session.ended", GroupID: "session"}),
		pool:   pool,
	}
}

func (w *SessionWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("session.ended at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *SessionWorker) handle(ctx context.Context, body []byte) error {
	var e sessionEnded
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := w.pool.Exec(ctx, `DELETE FROM sessions WHERE id = $1`, e.Session)
	return err
}
