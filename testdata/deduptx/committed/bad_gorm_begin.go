package committed

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"gorm.io/gorm"
)

type visaIssued struct {
	EventID   string `json:"eventId"`
	Consulate string `json:"consulate"`
}

// VisaConsumer begins by hand with gorm, commits the mark and writes on the handle outside.
type VisaConsumer struct {
	db *gorm.DB
}

func NewVisaConsumer(db *gorm.DB) *VisaConsumer { return &VisaConsumer{db: db} }

func (c *VisaConsumer) Setup(sarama.ConsumerGroupSession) error { return nil }

func (c *VisaConsumer) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (c *VisaConsumer) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := c.issue(session.Context(), msg.Value); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (c *VisaConsumer) issue(ctx context.Context, payload []byte) error {
	var e visaIssued
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	tx := c.db.WithContext(ctx).Begin()
	if tx.Error != nil {
		return tx.Error
	}
	defer tx.Rollback()
	res := tx.Exec("INSERT INTO processed_events (event_id) VALUES (?) ON CONFLICT DO NOTHING", e.EventID)
	if res.Error != nil || res.RowsAffected == 0 {
		return res.Error
	}
	if err := tx.Commit().Error; err != nil {
		return err
	}
	return c.db.WithContext(ctx).Exec("UPDATE consulates SET visas = visas + 1 WHERE id = ?", e.Consulate).Error // want "R-KFK-IDEM-3"
}
