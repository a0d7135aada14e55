package guarded

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/IBM/sarama"
	"github.com/lib/pq"
)

type grantAwarded struct {
	EventID string `json:"eventId"`
	Number  string `json:"number"`
	Lab     string `json:"lab"`
}

// GrantWorker is a guarded write: lib/pq's unique_violation is taken as success.
type GrantWorker struct {
	db *sql.DB
}

func NewGrantWorker(db *sql.DB) *GrantWorker {
	return &GrantWorker{db: db}
}

func (w *GrantWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *GrantWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *GrantWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *GrantWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e grantAwarded
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	_, err := w.db.ExecContext(ctx, `INSERT INTO grants (number, lab) VALUES ($1, $2)`, e.Number, e.Lab)
	var pqErr *pq.Error
	if errors.As(err, &pqErr) && pqErr.Code.Name() == "unique_violation" {
		return nil
	}
	return err
}
