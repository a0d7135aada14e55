package twotx

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type cargoLoaded struct {
	EventID string `json:"eventId"`
	Ship    string `json:"ship"`
	Tons    int    `json:"tons"`
}

// CargoConsumer runs two closures in a row: each is a transaction of its own.
type CargoConsumer struct {
	pool *pgxpool.Pool
}

func NewCargoConsumer(pool *pgxpool.Pool) *CargoConsumer { return &CargoConsumer{pool: pool} }

func (c *CargoConsumer) Setup(sarama.ConsumerGroupSession) error { return nil }

func (c *CargoConsumer) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (c *CargoConsumer) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := c.load(session.Context(), msg.Value); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (c *CargoConsumer) load(ctx context.Context, payload []byte) error {
	var e cargoLoaded
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	first := false
	err := pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID)
		first = tag.RowsAffected() == 1
		return err
	})
	if err != nil || !first {
		return err
	}
	return pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE ships SET tons = tons + $1 WHERE id = $2`, e.Tons, e.Ship) // want "R-KFK-IDEM-3"
		return err
	})
}
