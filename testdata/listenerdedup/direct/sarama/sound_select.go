package saramacase

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/IBM/sarama"
)

type tableBooked struct {
	EventID string `json:"eventId"`
	HallID  string `json:"hallId"`
	Tables  int    `json:"tables"`
}

// TableConsumer is ConsumeClaim with a select; sound: no row affected by the mark means a duplicate, and the update is not reached.
type TableConsumer struct {
	db *sql.DB
}

func NewTableConsumer(db *sql.DB) *TableConsumer { return &TableConsumer{db: db} }

func (c *TableConsumer) Setup(sarama.ConsumerGroupSession) error { return nil }

func (c *TableConsumer) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (c *TableConsumer) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for {
		select {
		case msg, ok := <-claim.Messages():
			if !ok {
				return nil
			}
			if err := c.book(session.Context(), msg.Value); err != nil {
				return err
			}
			session.MarkMessage(msg, "")
		case <-session.Context().Done():
			return nil
		}
	}
}

func (c *TableConsumer) book(ctx context.Context, body []byte) error {
	var e tableBooked
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'tables') ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return err
	}
	if n == 0 {
		return nil
	}
	if _, err := tx.ExecContext(ctx, `UPDATE halls SET free_tables = free_tables - $1 WHERE id = $2`, e.Tables, e.HallID); err != nil {
		return err
	}
	return tx.Commit()
}
