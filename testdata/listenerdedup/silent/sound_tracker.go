package silent

import (
	"context"
	"database/sql"

	"github.com/segmentio/kafka-go"
)

// StepTracker tells a monitoring topic how far a record got; right: telemetry by way
// of a broker is telemetry.
type StepTracker struct {
	writer *kafka.Writer
}

func (t *StepTracker) report(ctx context.Context, id, step string) error {
	return t.writer.WriteMessages(ctx, kafka.Message{Key: []byte(id), Value: []byte(step)})
}

// Tracked reports each delivery before and after its guarded work.
func Tracked(ctx context.Context, r *kafka.Reader, db *sql.DB, tracker *StepTracker) error {
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := tracker.report(ctx, string(m.Key), "received"); err != nil {
			return err
		}
		if _, err := db.ExecContext(ctx, `INSERT INTO names (name) VALUES ($1) ON CONFLICT DO NOTHING`, string(m.Value)); err != nil {
			return err
		}
		if err := tracker.report(ctx, string(m.Key), "done"); err != nil {
			return err
		}
		if err := r.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}
