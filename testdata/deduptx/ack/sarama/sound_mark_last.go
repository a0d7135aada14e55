package saramacase

import (
	"database/sql"
	"encoding/json"

	"github.com/IBM/sarama"
)

type tramBoarded struct {
	EventID string `json:"eventId"`
	Line    string `json:"line"`
}

// TramConsumer marks the message after the commit; right: a crash between brings the record again, and the gate knows it.
type TramConsumer struct {
	db *sql.DB
}

func NewTramConsumer(db *sql.DB) *TramConsumer { return &TramConsumer{db: db} }

func (c *TramConsumer) Setup(sarama.ConsumerGroupSession) error { return nil }

func (c *TramConsumer) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (c *TramConsumer) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := c.handle(session, msg); err != nil {
			return err
		}
	}
	return nil
}

func (c *TramConsumer) handle(session sarama.ConsumerGroupSession, msg *sarama.ConsumerMessage) error {
	ctx := session.Context()
	var e tramBoarded
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
	session.MarkMessage(msg, "")
	return nil
}
