package guarded

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/IBM/sarama"
	"github.com/go-sql-driver/mysql"
)

type prizeAwarded struct {
	EventID string `json:"eventId"`
	Number  string `json:"number"`
	Lab     string `json:"lab"`
}

// PrizeWorker is a guarded write: MySQL's error 1062 is taken as success.
type PrizeWorker struct {
	db *sql.DB
}

func NewPrizeWorker(db *sql.DB) *PrizeWorker {
	return &PrizeWorker{db: db}
}

func (w *PrizeWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *PrizeWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *PrizeWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *PrizeWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e prizeAwarded
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	_, err := w.db.ExecContext(ctx, "INSERT INTO prizes (number, lab) VALUES (?, ?)", e.Number, e.Lab)
	var myErr *mysql.MySQLError
	if errors.As(err, &myErr) && myErr.Number == 1062 {
		return nil
	}
	return err
}
