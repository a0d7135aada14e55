package sqlxcase

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/jmoiron/sqlx"
)

type henWorkerEvent struct {
	EventID string `json:"eventId"`
	Farm    string `json:"farm"`
}

// HenWorker writes on the pool inside sqlx's transaction.
type HenWorker struct {
	db *sqlx.DB
}

// Setup does nothing.
func (w *HenWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

// Cleanup does nothing.
func (w *HenWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

// ConsumeClaim handles a partition's messages.
func (w *HenWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg.Value); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *HenWorker) handle(ctx context.Context, payload []byte) error {
	var e henWorkerEvent
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	tx, err := w.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := w.db.NamedExecContext(ctx, `UPDATE farms SET eggs = eggs + 1 WHERE id = :farm`, map[string]any{"farm": e.Farm}); err != nil { // want "R-KFK-IDEM-3"
		return err
	}
	return tx.Commit()
}
