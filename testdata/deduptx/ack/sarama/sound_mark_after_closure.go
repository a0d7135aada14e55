package saramacase

import (
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type trainBoarded struct {
	EventID string `json:"eventId"`
	Line    string `json:"line"`
}

// TrainConsumer marks the message when the closure has returned without an error; right: it has committed by then.
type TrainConsumer struct {
	pool *pgxpool.Pool
}

func NewTrainConsumer(pool *pgxpool.Pool) *TrainConsumer { return &TrainConsumer{pool: pool} }

func (c *TrainConsumer) Setup(sarama.ConsumerGroupSession) error { return nil }

func (c *TrainConsumer) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (c *TrainConsumer) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := c.handle(session, msg); err != nil {
			return err
		}
	}
	return nil
}

func (c *TrainConsumer) handle(session sarama.ConsumerGroupSession, msg *sarama.ConsumerMessage) error {
	ctx := session.Context()
	var e trainBoarded
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	err := pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE lines SET riders = riders + 1 WHERE id = $1`, e.Line)
		return err
	})
	if err != nil {
		return err
	}
	session.MarkMessage(msg, "")
	return nil
}
