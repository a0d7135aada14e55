package saramacase

import (
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5/pgxpool"
)

type shipmentRequested struct {
	EventID string `json:"eventId"`
	OrderID string `json:"orderId"`
	Address string `json:"address"`
}

// ShipmentConsumer is ConsumeClaim with a range over the claim; the insert runs at every delivery.
type ShipmentConsumer struct {
	pool *pgxpool.Pool
}

func NewShipmentConsumer(pool *pgxpool.Pool) *ShipmentConsumer {
	return &ShipmentConsumer{pool: pool}
}

func (c *ShipmentConsumer) Setup(sarama.ConsumerGroupSession) error { return nil }

func (c *ShipmentConsumer) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (c *ShipmentConsumer) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		var e shipmentRequested
		if err := json.Unmarshal(msg.Value, &e); err != nil {
			return err
		}
		const q = `INSERT INTO shipments (order_id, address) VALUES ($1, $2)`
		if _, err := c.pool.Exec(session.Context(), q, e.OrderID, e.Address); err != nil { // want "R-KFK-IDEM-X1"
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}
