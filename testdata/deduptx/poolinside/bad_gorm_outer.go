package poolinside

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"gorm.io/gorm"
)

type lockerTaken struct {
	EventID string `json:"eventId"`
	Hall    string `json:"hall"`
}

// LockerConsumer writes on gorm's outer handle inside the closure of the transaction.
type LockerConsumer struct {
	db *gorm.DB
}

func NewLockerConsumer(db *gorm.DB) *LockerConsumer { return &LockerConsumer{db: db} }

func (c *LockerConsumer) Setup(sarama.ConsumerGroupSession) error { return nil }

func (c *LockerConsumer) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (c *LockerConsumer) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := c.take(session.Context(), msg.Value); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (c *LockerConsumer) take(ctx context.Context, payload []byte) error {
	var e lockerTaken
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	db := c.db.WithContext(ctx)
	return db.Transaction(func(tx *gorm.DB) error {
		res := tx.Exec("INSERT INTO processed_events (event_id) VALUES (?) ON CONFLICT DO NOTHING", e.EventID)
		if res.Error != nil || res.RowsAffected == 0 {
			return res.Error
		}
		return db.Exec("UPDATE halls SET lockers = lockers - 1 WHERE id = ?", e.Hall).Error // want "R-KFK-IDEM-3"
	})
}
