package saramacase

import (
	"database/sql"
	"encoding/json"

	"github.com/IBM/sarama"
)

type gondolaBoarded struct {
	EventID string `json:"eventId"`
	Line    string `json:"line"`
}

// GondolaConsumer acknowledges by a helper, after the commit; right: the helper is called last.
type GondolaConsumer struct {
	db *sql.DB
}

func NewGondolaConsumer(db *sql.DB) *GondolaConsumer { return &GondolaConsumer{db: db} }

func (c *GondolaConsumer) Setup(sarama.ConsumerGroupSession) error { return nil }

func (c *GondolaConsumer) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (c *GondolaConsumer) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := c.handle(session, msg); err != nil {
			return err
		}
	}
	return nil
}

func (c *GondolaConsumer) handle(session sarama.ConsumerGroupSession, msg *sarama.ConsumerMessage) error {
	ctx := session.Context()
	var e gondolaBoarded
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
	if err := tx.Commit(); err != nil {
		return err
	}
	c.done(session, msg)
	return nil
}

func (c *GondolaConsumer) done(session sarama.ConsumerGroupSession, msg *sarama.ConsumerMessage) {
	session.MarkMessage(msg, "")
}
