// Package saramacase takes the ids of events from sarama's headers.
package saramacase

import (
	"context"
	"database/sql"

	"github.com/IBM/sarama"
)

// meter books readings.
type meter struct{ db *sql.DB }

// Setup is part of sarama's interface.
func (m *meter) Setup(sarama.ConsumerGroupSession) error { return nil }

// Cleanup is part of sarama's interface.
func (m *meter) Cleanup(sarama.ConsumerGroupSession) error { return nil }

// ConsumeClaim consumes.
func (m *meter) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := m.book(s.Context(), header(msg, "X-Event-Id"), msg.Value); err != nil {
			return err
		}
		s.MarkMessage(msg, "")
	}
	return nil
}

func header(msg *sarama.ConsumerMessage, name string) string {
	for _, h := range msg.Headers {
		if h != nil && string(h.Key) == name {
			return string(h.Value)
		}
	}
	return ""
}

func (m *meter) book(ctx context.Context, id string, body []byte) error {
	tx, err := m.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_messages (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, id) // want "a header of the record"
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO readings (body) VALUES ($1)`, body); err != nil {
		return err
	}
	return tx.Commit()
}
