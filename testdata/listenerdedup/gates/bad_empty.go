package gates

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

type sensorFired struct {
	EventID string `json:"eventId"`
	Alarm   string `json:"alarm"`
	Level   int    `json:"level"`
}

// SensorWorker asks the gate only when there is an id; without one the alarm is counted at every delivery.
type SensorWorker struct {
	client *kgo.Client
	pool   *pgxpool.Pool
}

func NewSensorWorker(seeds []string, pool *pgxpool.Pool) (*SensorWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("sensor"), kgo.ConsumeTopics("sensor.fired"))
	if err != nil {
		return nil, err
	}
	return &SensorWorker{client: client, pool: pool}, nil
}

func (w *SensorWorker) Run(ctx context.Context) error {
	for {
		fetches := w.client.PollFetches(ctx)
		if fetches.IsClientClosed() {
			return nil
		}
		for _, r := range fetches.Records() {
			if err := w.handle(ctx, r); err != nil {
				return err
			}
		}
		if err := w.client.CommitUncommittedOffsets(ctx); err != nil {
			return err
		}
	}
}

func (w *SensorWorker) handle(ctx context.Context, r *kgo.Record) error {
	var e sensorFired
	if err := json.Unmarshal(r.Value, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		if e.EventID != "" {
			tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'alarms') ON CONFLICT DO NOTHING`, e.EventID)
			if err != nil {
				return err
			}
			if tag.RowsAffected() == 0 {
				return nil
			}
		}
		_, err := tx.Exec(ctx, `UPDATE alarms SET total = total + $1 WHERE id = $2`, e.Level, e.Alarm) // want "R-KFK-IDEM-X1"
		return err
	})
}
