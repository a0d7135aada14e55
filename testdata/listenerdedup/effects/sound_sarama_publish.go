package effects

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/IBM/sarama"
)

type mailSplit struct {
	EventID string `json:"eventId"`
	Town    string `json:"town"`
}

// SplitWorker is sound for this rule: a publish with sarama stands behind the mark of the event.
type SplitWorker struct {
	db       *sql.DB
	producer sarama.SyncProducer
}

func NewSplitWorker(db *sql.DB, producer sarama.SyncProducer) *SplitWorker {
	return &SplitWorker{db: db, producer: producer}
}

func (w *SplitWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *SplitWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *SplitWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *SplitWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e mailSplit
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	res, err := w.db.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'split') ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	_, _, err = w.producer.SendMessage(&sarama.ProducerMessage{Topic: "mail.by-town", Key: sarama.StringEncoder(e.Town), Value: sarama.ByteEncoder(msg.Value)})
	return err
}
