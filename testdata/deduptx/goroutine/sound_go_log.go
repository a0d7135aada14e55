package goroutine

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type playSold struct {
	EventID string `json:"eventId"`
	Play    string `json:"play"`
}

// TheatreConsumer starts a goroutine that writes a log line; right: the work stays in the closure.
type TheatreConsumer struct {
	pool *pgxpool.Pool
}

func NewTheatreConsumer(pool *pgxpool.Pool) *TheatreConsumer { return &TheatreConsumer{pool: pool} }

func (c *TheatreConsumer) Setup(sarama.ConsumerGroupSession) error { return nil }

func (c *TheatreConsumer) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (c *TheatreConsumer) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := c.sell(session.Context(), msg.Value); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (c *TheatreConsumer) sell(ctx context.Context, payload []byte) error {
	var e playSold
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		go slog.Info("sold", "play", e.Play)
		_, err = tx.Exec(ctx, `UPDATE plays SET sold = sold + 1 WHERE id = $1`, e.Play)
		return err
	})
}
