package gateoutside

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5/pgxpool"
)

type boxSold struct {
	EventID string `json:"eventId"`
	HallID  string `json:"hallId"`
}

// BoxConsumer marks and writes on the pool; right: it is one statement, which is a transaction by itself.
type BoxConsumer struct {
	pool *pgxpool.Pool
}

func NewBoxConsumer(pool *pgxpool.Pool) *BoxConsumer { return &BoxConsumer{pool: pool} }

func (c *BoxConsumer) Setup(sarama.ConsumerGroupSession) error { return nil }

func (c *BoxConsumer) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (c *BoxConsumer) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := c.handle(session.Context(), msg.Value); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (c *BoxConsumer) handle(ctx context.Context, payload []byte) error {
	var e boxSold
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	const q = `
		WITH first_time AS (
			INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'halls')
			ON CONFLICT DO NOTHING
			RETURNING event_id
		)
		UPDATE halls SET free_boxes = free_boxes - 1 WHERE id = $2 AND EXISTS (SELECT 1 FROM first_time)`
	_, err := c.pool.Exec(ctx, q, e.EventID, e.HallID)
	return err
}
