package silent

import (
	"context"
	"database/sql"
	"encoding/json"
	"log"

	"github.com/segmentio/kafka-go"
)

type tentPitched struct {
	EventID string `json:"eventId"`
	Camp    string `json:"camp"`
}

// TentHandler is what the worker calls.
type TentHandler interface {
	Handle(ctx context.Context, e tentPitched) error
}

// TentWorker is sound: the handler it gets here only logs; the recording mock has a database and is bound nowhere.
type TentWorker struct {
	handler TentHandler
}

func NewTentWorker() *TentWorker { return &TentWorker{handler: tentLog{}} }

func (w *TentWorker) Run(ctx context.Context, reader *kafka.Reader) error {
	for {
		m, err := reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		var e tentPitched
		if err := json.Unmarshal(m.Value, &e); err != nil {
			return err
		}
		if err := w.handler.Handle(ctx, e); err != nil {
			return err
		}
	}
}

type tentLog struct{}

func (tentLog) Handle(_ context.Context, e tentPitched) error {
	log.Printf("a tent at %s", e.Camp)
	return nil
}

var _ TentHandler = (*mockTentHandler)(nil)

type mockTentHandler struct{ db *sql.DB }

func (m *mockTentHandler) Handle(ctx context.Context, e tentPitched) error {
	_, err := m.db.ExecContext(ctx, `INSERT INTO calls (camp) VALUES ($1)`, e.Camp)
	return err
}
