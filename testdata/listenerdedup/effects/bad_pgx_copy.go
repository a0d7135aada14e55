package effects

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type samplesTaken struct {
	EventID string  `json:"eventId"`
	Pit     string  `json:"pit"`
	Grams   []int64 `json:"grams"`
}

// SampleWorker has a CopyFrom as its effect and no gate.
type SampleWorker struct {
	pool *pgxpool.Pool
}

func NewSampleWorker(pool *pgxpool.Pool) *SampleWorker {
	return &SampleWorker{pool: pool}
}

func (w *SampleWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *SampleWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *SampleWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *SampleWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e samplesTaken
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	rows := make([][]any, len(e.Grams))
	for i, g := range e.Grams {
		rows[i] = []any{e.Pit, g}
	}
	_, err := w.pool.CopyFrom(ctx, pgx.Identifier{"samples"}, []string{"pit", "grams"}, pgx.CopyFromRows(rows)) // want "R-KFK-IDEM-X1"
	return err
}
