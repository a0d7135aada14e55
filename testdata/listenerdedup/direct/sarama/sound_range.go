package saramacase

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type parcelRequested struct {
	EventID string `json:"eventId"`
	OrderID string `json:"orderId"`
	Address string `json:"address"`
}

// ParcelConsumer is ConsumeClaim with a range; sound: the event id is recorded in the transaction that inserts the parcel.
type ParcelConsumer struct {
	pool *pgxpool.Pool
}

func NewParcelConsumer(pool *pgxpool.Pool) *ParcelConsumer {
	return &ParcelConsumer{pool: pool}
}

func (c *ParcelConsumer) Setup(sarama.ConsumerGroupSession) error { return nil }

func (c *ParcelConsumer) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (c *ParcelConsumer) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := c.store(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (c *ParcelConsumer) store(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e parcelRequested
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group)
			VALUES ($1, 'parcels') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return nil
		}
		_, err = tx.Exec(ctx, `INSERT INTO parcels (order_id, address) VALUES ($1, $2)`, e.OrderID, e.Address)
		return err
	})
}
