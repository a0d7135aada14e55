package gateoutside

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type tableBooked struct {
	EventID string `json:"eventId"`
	Venue   string `json:"venue"`
	Guests  int    `json:"guests"`
}

// TableConsumer marks on the pool, then opens a transaction for the work alone.
type TableConsumer struct {
	pool *pgxpool.Pool
}

func NewTableConsumer(pool *pgxpool.Pool) *TableConsumer { return &TableConsumer{pool: pool} }

func (c *TableConsumer) Setup(sarama.ConsumerGroupSession) error { return nil }

func (c *TableConsumer) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (c *TableConsumer) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		var e tableBooked
		if err := json.Unmarshal(msg.Value, &e); err != nil {
			return err
		}
		if err := c.book(session.Context(), e); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (c *TableConsumer) book(ctx context.Context, e tableBooked) error {
	tag, err := c.pool.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID) // want "R-KFK-IDEM-3"
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	return pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE venues SET guests = guests + $1 WHERE id = $2`, e.Guests, e.Venue); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `INSERT INTO bookings (venue, guests) VALUES ($1, $2)`, e.Venue, e.Guests)
		return err
	})
}
