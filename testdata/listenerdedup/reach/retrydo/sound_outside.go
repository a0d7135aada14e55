package retrydo

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/twmb/franz-go/pkg/kgo"

	"example.com/cases/listenerdedup/reach/retrydo/retry"
)

type bagMoved struct {
	EventID string `json:"eventId"`
	Depot   string `json:"depot"`
	Boxes   int    `json:"boxes"`
}

// BagWorker is sound for this rule: the mark stands before the retried update.
type BagWorker struct {
	client *kgo.Client
	db     *sql.DB
}

func NewBagWorker(seeds []string, db *sql.DB) (*BagWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("bag"), kgo.ConsumeTopics("bag.moved"))
	if err != nil {
		return nil, err
	}
	return &BagWorker{client: client, db: db}, nil
}

func (w *BagWorker) Run(ctx context.Context) error {
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

func (w *BagWorker) handle(ctx context.Context, r *kgo.Record) error {
	var e bagMoved
	if err := json.Unmarshal(r.Value, &e); err != nil {
		return err
	}
	res, err := w.db.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'depots') ON CONFLICT DO NOTHING`, e.EventID)
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
	return retry.Do(ctx, 3, func(ctx context.Context) error {
		_, err := w.db.ExecContext(ctx, `UPDATE depots SET bags = bags + $1 WHERE id = $2`, e.Boxes, e.Depot)
		return err
	})
}
