package twotx

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type bargeLoaded struct {
	EventID string `json:"eventId"`
	Barge   string `json:"barge"`
	Tons    int    `json:"tons"`
}

// BargeConsumer runs a closure inside a closure, but the inner one begins on the pool: a second transaction.
type BargeConsumer struct {
	pool *pgxpool.Pool
}

func NewBargeConsumer(pool *pgxpool.Pool) *BargeConsumer { return &BargeConsumer{pool: pool} }

func (c *BargeConsumer) Setup(sarama.ConsumerGroupSession) error { return nil }

func (c *BargeConsumer) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (c *BargeConsumer) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := c.load(session.Context(), msg.Value); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (c *BargeConsumer) load(ctx context.Context, payload []byte) error {
	var e bargeLoaded
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		return pgx.BeginFunc(ctx, c.pool, func(inner pgx.Tx) error {
			_, err := inner.Exec(ctx, `UPDATE barges SET tons = tons + $1 WHERE id = $2`, e.Tons, e.Barge) // want "R-KFK-IDEM-3"
			return err
		})
	})
}
