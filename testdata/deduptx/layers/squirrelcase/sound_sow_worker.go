package squirrelcase

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/IBM/sarama"
	sq "github.com/Masterminds/squirrel"
)

type sowWorkerEvent struct {
	EventID string `json:"eventId"`
	Farm    string `json:"farm"`
}

// SowWorker runs the builder with the transaction; right.
type SowWorker struct {
	db *sql.DB
}

// Setup does nothing.
func (w *SowWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

// Cleanup does nothing.
func (w *SowWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

// ConsumeClaim handles a partition's messages.
func (w *SowWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg.Value); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *SowWorker) handle(ctx context.Context, payload []byte) error {
	var e sowWorkerEvent
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := sq.Insert("processed_events").Columns("event_id").Values(e.EventID).Suffix("ON CONFLICT DO NOTHING").RunWith(tx).ExecContext(ctx)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	upd := sq.Update("farms").Set("pigs", sq.Expr("pigs + 1")).Where(sq.Eq{"id": e.Farm})
	if _, err := upd.RunWith(tx).ExecContext(ctx); err != nil {
		return err
	}
	return tx.Commit()
}
