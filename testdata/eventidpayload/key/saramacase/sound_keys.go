package saramacase

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
)

type reading struct {
	Meta struct {
		EventID string `json:"event_id"`
	} `json:"meta"`
	Value float64 `json:"value"`
}

// gauge takes the id from the payload's envelope.
type gauge struct{ meter }

// ConsumeClaim consumes.
func (g *gauge) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		var r reading
		if err := json.Unmarshal(msg.Value, &r); err != nil {
			return err
		}
		ctx := context.WithValue(s.Context(), traceKey{}, header(msg, "traceparent"))
		if err := g.bookOnce(ctx, r); err != nil {
			return err
		}
		s.MarkMessage(msg, "")
	}
	return nil
}

type traceKey struct{}

func (g *gauge) bookOnce(ctx context.Context, r reading) error {
	tx, err := g.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_messages (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, r.Meta.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO readings (value) VALUES ($1)`, r.Value); err != nil {
		return err
	}
	return tx.Commit()
}
