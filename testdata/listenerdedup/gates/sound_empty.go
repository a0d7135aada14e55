package gates

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

type detectorFired struct {
	EventID string `json:"eventId"`
	Alarm   string `json:"alarm"`
	Level   int    `json:"level"`
}

// DetectorWorker is sound: with an id it goes through the gate, without one it does nothing but complain.
type DetectorWorker struct {
	client *kgo.Client
	pool   *pgxpool.Pool
}

func NewDetectorWorker(seeds []string, pool *pgxpool.Pool) (*DetectorWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("detector"), kgo.ConsumeTopics("detector.fired"))
	if err != nil {
		return nil, err
	}
	return &DetectorWorker{client: client, pool: pool}, nil
}

func (w *DetectorWorker) Run(ctx context.Context) error {
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

func (w *DetectorWorker) handle(ctx context.Context, r *kgo.Record) error {
	var e detectorFired
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
			_, err = tx.Exec(ctx, `UPDATE alarms SET detected = detected + $1 WHERE id = $2`, e.Level, e.Alarm)
			return err
		}
		return errors.New("detector event without an id")
	})
}
