package gateoutside

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5/pgxpool"
)

type seatSold struct {
	EventID string `json:"eventId"`
	HallID  string `json:"hallId"`
}

// SeatConsumer marks on the pool and writes on the pool: two transactions of one statement each.
type SeatConsumer struct {
	pool *pgxpool.Pool
}

func NewSeatConsumer(pool *pgxpool.Pool) *SeatConsumer { return &SeatConsumer{pool: pool} }

func (c *SeatConsumer) Setup(sarama.ConsumerGroupSession) error { return nil }

func (c *SeatConsumer) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (c *SeatConsumer) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := c.handle(session.Context(), msg.Value); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (c *SeatConsumer) handle(ctx context.Context, payload []byte) error {
	var e seatSold
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	tag, err := c.pool.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'halls') ON CONFLICT DO NOTHING`, e.EventID) // want "R-KFK-IDEM-3"
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return nil
	}
	_, err = c.pool.Exec(ctx, `UPDATE halls SET free = free - 1 WHERE id = $1`, e.HallID)
	return err
}
