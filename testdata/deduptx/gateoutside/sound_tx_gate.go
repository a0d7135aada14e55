package gateoutside

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type banquetBooked struct {
	EventID string `json:"eventId"`
	Venue   string `json:"venue"`
	Guests  int    `json:"guests"`
}

// BanquetConsumer marks inside the transaction of the work; right: both stand or fall together.
type BanquetConsumer struct {
	pool *pgxpool.Pool
}

func NewBanquetConsumer(pool *pgxpool.Pool) *BanquetConsumer { return &BanquetConsumer{pool: pool} }

func (c *BanquetConsumer) Setup(sarama.ConsumerGroupSession) error { return nil }

func (c *BanquetConsumer) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (c *BanquetConsumer) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		var e banquetBooked
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

func (c *BanquetConsumer) book(ctx context.Context, e banquetBooked) error {
	return pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		if _, err := tx.Exec(ctx, `UPDATE venues SET guests = guests + $1 WHERE id = $2`, e.Guests, e.Venue); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO bookings (venue, guests) VALUES ($1, $2)`, e.Venue, e.Guests)
		return err
	})
}
