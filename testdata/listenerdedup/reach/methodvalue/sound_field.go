package methodvalue

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/jmoiron/sqlx"
)

type harvestWeighed struct {
	EventID string `json:"eventId"`
	Field   string `json:"field"`
	Kilos   int    `json:"kilos"`
}

// HarvestWorker has its work as a method value in a func field that the constructor sets; sound: the method marks the event first.
type HarvestWorker struct {
	apply func(ctx context.Context, body []byte) error
}

func NewHarvestWorker(db *sqlx.DB) *HarvestWorker {
	l := harvestLog{db: db}
	return &HarvestWorker{apply: l.add}
}

func (w *HarvestWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *HarvestWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *HarvestWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.apply(session.Context(), msg.Value); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

type harvestLog struct{ db *sqlx.DB }

func (l harvestLog) add(ctx context.Context, body []byte) error {
	var e harvestWeighed
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	tx, err := l.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'fields') ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE fields SET kilos = kilos + $1 WHERE id = $2`, e.Kilos, e.Field); err != nil {
		return err
	}
	return tx.Commit()
}
