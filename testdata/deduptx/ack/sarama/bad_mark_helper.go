package saramacase

import (
	"database/sql"
	"encoding/json"

	"github.com/IBM/sarama"
)

type liftBoarded struct {
	EventID string `json:"eventId"`
	Line    string `json:"line"`
}

// LiftConsumer acknowledges by a helper, before the transaction commits.
type LiftConsumer struct {
	db *sql.DB
}

func NewLiftConsumer(db *sql.DB) *LiftConsumer { return &LiftConsumer{db: db} }

func (c *LiftConsumer) Setup(sarama.ConsumerGroupSession) error { return nil }

func (c *LiftConsumer) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (c *LiftConsumer) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := c.handle(session, msg); err != nil {
			return err
		}
	}
	return nil
}

func (c *LiftConsumer) handle(session sarama.ConsumerGroupSession, msg *sarama.ConsumerMessage) error {
	ctx := session.Context()
	var e liftBoarded
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
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
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE lines SET riders = riders + 1 WHERE id = $1`, e.Line); err != nil {
		return err
	}
	c.done(session, msg)
	return tx.Commit()
}

func (c *LiftConsumer) done(session sarama.ConsumerGroupSession, msg *sarama.ConsumerMessage) {
	session.MarkMessage(msg, "") // want "R-KFK-IDEM-3"
}
