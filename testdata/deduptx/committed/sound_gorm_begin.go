package committed

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"gorm.io/gorm"
)

type passportIssued struct {
	EventID   string `json:"eventId"`
	Consulate string `json:"consulate"`
}

// PassportConsumer begins by hand with gorm and commits at the end; right: both statements are on the begun handle.
type PassportConsumer struct {
	db *gorm.DB
}

func NewPassportConsumer(db *gorm.DB) *PassportConsumer { return &PassportConsumer{db: db} }

func (c *PassportConsumer) Setup(sarama.ConsumerGroupSession) error { return nil }

func (c *PassportConsumer) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (c *PassportConsumer) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := c.issue(session.Context(), msg.Value); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (c *PassportConsumer) issue(ctx context.Context, payload []byte) error {
	var e passportIssued
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
	if err := tx.Exec("UPDATE consulates SET passports = passports + 1 WHERE id = ?", e.Consulate).Error; err != nil {
		return err
	}
	return tx.Commit().Error
}
