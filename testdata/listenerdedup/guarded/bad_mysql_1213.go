package guarded

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/IBM/sarama"
	"github.com/go-sql-driver/mysql"
)

type medalAwarded struct {
	EventID string `json:"eventId"`
	Lab     string `json:"lab"`
}

// MedalWorker forgives a deadlock (1213), not a duplicate.
type MedalWorker struct {
	db *sql.DB
}

func NewMedalWorker(db *sql.DB) *MedalWorker {
	return &MedalWorker{db: db}
}

func (w *MedalWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *MedalWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *MedalWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *MedalWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e medalAwarded
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	_, err := w.db.ExecContext(ctx, "INSERT INTO medals (lab) VALUES (?)", e.Lab) // want "R-KFK-IDEM-X1"
	var myErr *mysql.MySQLError
	if errors.As(err, &myErr) && myErr.Number == 1213 {
		return nil
	}
	return err
}
