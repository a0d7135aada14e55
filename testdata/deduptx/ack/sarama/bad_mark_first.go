package saramacase

import (
	"database/sql"
	"encoding/json"

	"github.com/IBM/sarama"
)

type busBoarded struct {
	EventID string `json:"eventId"`
	Line    string `json:"line"`
}

// BusConsumer marks the message before the transaction commits: a crash between loses the event.
type BusConsumer struct {
	db *sql.DB
}

func NewBusConsumer(db *sql.DB) *BusConsumer { return &BusConsumer{db: db} }

func (c *BusConsumer) Setup(sarama.ConsumerGroupSession) error { return nil }

func (c *BusConsumer) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (c *BusConsumer) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := c.handle(session, msg); err != nil {
			return err
		}
	}
	return nil
}

func (c *BusConsumer) handle(session sarama.ConsumerGroupSession, msg *sarama.ConsumerMessage) error {
	ctx := session.Context()
	var e busBoarded
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
	session.MarkMessage(msg, "") // want "R-KFK-IDEM-3"
	return tx.Commit()
}
