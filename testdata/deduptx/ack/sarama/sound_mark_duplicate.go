package saramacase

import (
	"database/sql"
	"encoding/json"

	"github.com/IBM/sarama"
)

type cableBoarded struct {
	EventID string `json:"eventId"`
	Line    string `json:"line"`
}

// CableConsumer marks a duplicate and an unreadable record early; right: there is nothing to commit for either, the work's record is marked last.
type CableConsumer struct {
	db *sql.DB
}

func NewCableConsumer(db *sql.DB) *CableConsumer { return &CableConsumer{db: db} }

func (c *CableConsumer) Setup(sarama.ConsumerGroupSession) error { return nil }

func (c *CableConsumer) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (c *CableConsumer) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := c.handle(session, msg); err != nil {
			return err
		}
	}
	return nil
}

func (c *CableConsumer) handle(session sarama.ConsumerGroupSession, msg *sarama.ConsumerMessage) error {
	ctx := session.Context()
	var e cableBoarded
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		session.MarkMessage(msg, "unreadable")
		return nil
	}
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return err
	}
	if n == 0 {
		session.MarkMessage(msg, "duplicate")
		return tx.Rollback()
	}
	if _, err := tx.ExecContext(ctx, `UPDATE lines SET riders = riders + 1 WHERE id = $1`, e.Line); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	session.MarkMessage(msg, "")
	return nil
}
