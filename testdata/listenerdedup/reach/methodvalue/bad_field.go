package methodvalue

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/jmoiron/sqlx"
)

type seedSown struct {
	EventID string `json:"eventId"`
	Field   string `json:"field"`
	Kilos   int    `json:"kilos"`
}

// SowingWorker has its work as a method value in a func field that the constructor sets; the method writes at every delivery.
type SowingWorker struct {
	apply func(ctx context.Context, body []byte) error
}

func NewSowingWorker(db *sqlx.DB) *SowingWorker {
	l := sowingLog{db: db}
	return &SowingWorker{apply: l.add}
}

func (w *SowingWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *SowingWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *SowingWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.apply(session.Context(), msg.Value); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

type sowingLog struct{ db *sqlx.DB }

func (l sowingLog) add(ctx context.Context, body []byte) error {
	var e seedSown
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := l.db.ExecContext(ctx, `UPDATE fields SET seed = seed + $1 WHERE id = $2`, e.Kilos, e.Field) // want "R-KFK-IDEM-X1"
	return err
}
