package poolinside

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"gorm.io/gorm"
)

type benchTaken struct {
	EventID string `json:"eventId"`
	Hall    string `json:"hall"`
}

// BenchConsumer names the closure's handle like the outer one; right: inside the closure the name is the transaction.
type BenchConsumer struct {
	db *gorm.DB
}

func NewBenchConsumer(db *gorm.DB) *BenchConsumer { return &BenchConsumer{db: db} }

func (c *BenchConsumer) Setup(sarama.ConsumerGroupSession) error { return nil }

func (c *BenchConsumer) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (c *BenchConsumer) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := c.take(session.Context(), msg.Value); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (c *BenchConsumer) take(ctx context.Context, payload []byte) error {
	var e benchTaken
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	db := c.db.WithContext(ctx)
	return db.Transaction(func(db *gorm.DB) error {
		res := db.Exec("INSERT INTO processed_events (event_id) VALUES (?) ON CONFLICT DO NOTHING", e.EventID)
		if res.Error != nil || res.RowsAffected == 0 {
			return res.Error
		}
		return db.Exec("UPDATE halls SET benches = benches - 1 WHERE id = ?", e.Hall).Error
	})
}
