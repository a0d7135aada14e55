package guarded

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/IBM/sarama"
)

type memoWritten struct {
	EventID string `json:"eventId"`
	Author  string `json:"author"`
	Text    string `json:"text"`
}

// MemoWorker lets the database generate the key.
type MemoWorker struct {
	db *sql.DB
}

func NewMemoWorker(db *sql.DB) *MemoWorker {
	return &MemoWorker{db: db}
}

func (w *MemoWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *MemoWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *MemoWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *MemoWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e memoWritten
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	_, err := w.db.ExecContext(ctx, `INSERT INTO memos (id, author, body) VALUES (gen_random_uuid(), $1, $2) ON CONFLICT (id) DO NOTHING`, e.Author, e.Text) // want "R-KFK-IDEM-X1"
	return err
}
