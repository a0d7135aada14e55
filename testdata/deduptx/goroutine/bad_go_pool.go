package goroutine

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type showSold struct {
	EventID string `json:"eventId"`
	Show    string `json:"show"`
}

// CinemaConsumer starts a method that writes on the pool while the transaction goes on.
type CinemaConsumer struct {
	pool *pgxpool.Pool
}

func NewCinemaConsumer(pool *pgxpool.Pool) *CinemaConsumer { return &CinemaConsumer{pool: pool} }

func (c *CinemaConsumer) Setup(sarama.ConsumerGroupSession) error { return nil }

func (c *CinemaConsumer) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (c *CinemaConsumer) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := c.sell(session.Context(), msg.Value); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (c *CinemaConsumer) sell(ctx context.Context, payload []byte) error {
	var e showSold
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		go c.addSale(context.WithoutCancel(ctx), e.Show)
		return nil
	})
}

func (c *CinemaConsumer) addSale(ctx context.Context, show string) {
	if _, err := c.pool.Exec(ctx, `UPDATE shows SET sold = sold + 1 WHERE id = $1`, show); err != nil { // want "R-KFK-IDEM-3"
		slog.Error("add sale", "err", err)
	}
}
