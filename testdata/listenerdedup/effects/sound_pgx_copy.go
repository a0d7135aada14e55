package effects

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type probesTaken struct {
	EventID string  `json:"eventId"`
	Pit     string  `json:"pit"`
	Grams   []int64 `json:"grams"`
}

// ProbeWorker is sound: a CopyFrom stands behind the mark in its own transaction.
type ProbeWorker struct {
	pool *pgxpool.Pool
}

func NewProbeWorker(pool *pgxpool.Pool) *ProbeWorker {
	return &ProbeWorker{pool: pool}
}

func (w *ProbeWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *ProbeWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *ProbeWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *ProbeWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e probesTaken
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	rows := make([][]any, len(e.Grams))
	for i, g := range e.Grams {
		rows[i] = []any{e.Pit, g}
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'probe') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.CopyFrom(ctx, pgx.Identifier{"probes"}, []string{"pit", "grams"}, pgx.CopyFromRows(rows))
		return err
	})
}
