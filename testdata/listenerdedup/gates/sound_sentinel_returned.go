package gates

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type logSawn struct {
	EventID string `json:"eventId"`
	Mill    string `json:"mill"`
	Boards  int    `json:"boards"`
}

// SawmillWorker is sound: any error of register, the sentinel too, leaves the transaction; the caller swallows the sentinel.
type SawmillWorker struct {
	pool *pgxpool.Pool
}

func NewSawmillWorker(pool *pgxpool.Pool) *SawmillWorker {
	return &SawmillWorker{pool: pool}
}

func (w *SawmillWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *SawmillWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *SawmillWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *SawmillWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e logSawn
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	err := pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		if err := w.register(ctx, tx, e.EventID); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE mills SET boards = boards + $1 WHERE id = $2`, e.Boards, e.Mill)
		return err
	})
	if errors.Is(err, errLogSeen) {
		return nil
	}
	return err
}

var errLogSeen = errors.New("log was sawn before")

func (w *SawmillWorker) register(ctx context.Context, tx pgx.Tx, id string) error {
	tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'mills') ON CONFLICT DO NOTHING`, id)
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return fmt.Errorf("event %s: %w", id, errLogSeen)
	}
	return nil
}
