package saramacase

import (
	"database/sql"
	"encoding/json"

	"github.com/IBM/sarama"
)

type funicularBoarded struct {
	EventID string `json:"eventId"`
	Line    string `json:"line"`
}

// FunicularConsumer commits the offset by hand, with MarkOffset and Commit, before the transaction.
type FunicularConsumer struct {
	db *sql.DB
}

func NewFunicularConsumer(db *sql.DB) *FunicularConsumer { return &FunicularConsumer{db: db} }

func (c *FunicularConsumer) Setup(sarama.ConsumerGroupSession) error { return nil }

func (c *FunicularConsumer) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (c *FunicularConsumer) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := c.handle(session, msg); err != nil {
			return err
		}
	}
	return nil
}

func (c *FunicularConsumer) handle(session sarama.ConsumerGroupSession, msg *sarama.ConsumerMessage) error {
	ctx := session.Context()
	var e funicularBoarded
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
	session.MarkOffset(msg.Topic, msg.Partition, msg.Offset+1, "") // want "R-KFK-IDEM-3"
	return tx.Commit()
}
