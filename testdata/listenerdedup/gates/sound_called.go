package gates

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type bottleFilled struct {
	EventID string `json:"eventId"`
	Cellar  string `json:"cellar"`
	Litres  int    `json:"litres"`
}

// BottleWorker is sound: its gate, firstTime, is called with the transaction before the insert.
type BottleWorker struct {
	pool *pgxpool.Pool
}

func NewBottleWorker(pool *pgxpool.Pool) *BottleWorker {
	return &BottleWorker{pool: pool}
}

func (w *BottleWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *BottleWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *BottleWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *BottleWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e bottleFilled
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		first, err := w.firstTime(ctx, tx, e.EventID)
		if err != nil || !first {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO bottles (cellar, litres) VALUES ($1, $2)`, e.Cellar, e.Litres)
		return err
	})
}

func (w *BottleWorker) firstTime(ctx context.Context, tx pgx.Tx, id string) (bool, error) {
	tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'cellar') ON CONFLICT DO NOTHING`, id)
	if err != nil {
		return false, err
	}
	return tag.RowsAffected() == 1, nil
}
