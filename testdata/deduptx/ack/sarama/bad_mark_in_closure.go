package saramacase

import (
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type metroBoarded struct {
	EventID string `json:"eventId"`
	Line    string `json:"line"`
}

// MetroConsumer marks the message as the last thing inside the closure, which is before its commit.
type MetroConsumer struct {
	pool *pgxpool.Pool
}

func NewMetroConsumer(pool *pgxpool.Pool) *MetroConsumer { return &MetroConsumer{pool: pool} }

func (c *MetroConsumer) Setup(sarama.ConsumerGroupSession) error { return nil }

func (c *MetroConsumer) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (c *MetroConsumer) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := c.handle(session, msg); err != nil {
			return err
		}
	}
	return nil
}

func (c *MetroConsumer) handle(session sarama.ConsumerGroupSession, msg *sarama.ConsumerMessage) error {
	ctx := session.Context()
	var e metroBoarded
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		if _, err := tx.Exec(ctx, `UPDATE lines SET riders = riders + 1 WHERE id = $1`, e.Line); err != nil {
			return err
		}
		session.MarkMessage(msg, "") // want "R-KFK-IDEM-3"
		return nil
	})
}
