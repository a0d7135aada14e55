package gates

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5/pgxpool"
)

type barrelFilled struct {
	EventID string `json:"eventId"`
	Cellar  string `json:"cellar"`
	Litres  int    `json:"litres"`
}

// BarrelWorker owns a gate, firstTime, that nobody calls.
type BarrelWorker struct {
	pool *pgxpool.Pool
}

func NewBarrelWorker(pool *pgxpool.Pool) *BarrelWorker {
	return &BarrelWorker{pool: pool}
}

func (w *BarrelWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *BarrelWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *BarrelWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *BarrelWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e barrelFilled
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	_, err := w.pool.Exec(ctx, `INSERT INTO barrels (cellar, litres) VALUES ($1, $2)`, e.Cellar, e.Litres) // want "R-KFK-IDEM-X1"
	return err
}

func (w *BarrelWorker) firstTime(ctx context.Context, id string) (bool, error) {
	tag, err := w.pool.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'cellar') ON CONFLICT DO NOTHING`, id)
	if err != nil {
		return false, err
	}
	return tag.RowsAffected() == 1, nil
}
