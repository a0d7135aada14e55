package twotx

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type ferryLoaded struct {
	EventID string `json:"eventId"`
	Ferry   string `json:"ferry"`
	Tons    int    `json:"tons"`
}

// FerryConsumer runs a closure inside a closure; right: the inner one begins on the outer transaction, which is a savepoint of it.
type FerryConsumer struct {
	pool *pgxpool.Pool
}

func NewFerryConsumer(pool *pgxpool.Pool) *FerryConsumer { return &FerryConsumer{pool: pool} }

func (c *FerryConsumer) Setup(sarama.ConsumerGroupSession) error { return nil }

func (c *FerryConsumer) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (c *FerryConsumer) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := c.load(session.Context(), msg.Value); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (c *FerryConsumer) load(ctx context.Context, payload []byte) error {
	var e ferryLoaded
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		return pgx.BeginFunc(ctx, tx, func(inner pgx.Tx) error {
			_, err := inner.Exec(ctx, `UPDATE ferries SET tons = tons + $1 WHERE id = $2`, e.Tons, e.Ferry)
			return err
		})
	})
}
