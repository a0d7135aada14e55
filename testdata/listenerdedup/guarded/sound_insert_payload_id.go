package guarded

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/IBM/sarama"
)

type letterWritten struct {
	EventID  string `json:"eventId"`
	LetterID string `json:"letterID"`
	Author   string `json:"author"`
	Text     string `json:"text"`
}

// LetterWorker is a guarded write: the same statement with the payload's letter id as the key.
type LetterWorker struct {
	db *sql.DB
}

func NewLetterWorker(db *sql.DB) *LetterWorker {
	return &LetterWorker{db: db}
}

func (w *LetterWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *LetterWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *LetterWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *LetterWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e letterWritten
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	_, err := w.db.ExecContext(ctx, `INSERT INTO letters (id, author, body) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING`, e.LetterID, e.Author, e.Text)
	return err
}
