package guarded

import (
	"context"
	"encoding/json"

	"github.com/jmoiron/sqlx"
	"github.com/twmb/franz-go/pkg/kgo"
)

type cabTaken struct {
	EventID string `json:"eventId"`
	Ride    string `json:"ride"`
	Cab     string `json:"cab"`
}

// CabWorker is a guarded write: a ride gets its cab only while it has none.
type CabWorker struct {
	client *kgo.Client
	db     *sqlx.DB
}

func NewCabWorker(seeds []string, db *sqlx.DB) (*CabWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("cab"), kgo.ConsumeTopics("cab.taken"))
	if err != nil {
		return nil, err
	}
	return &CabWorker{client: client, db: db}, nil
}

func (w *CabWorker) Run(ctx context.Context) error {
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

func (w *CabWorker) handle(ctx context.Context, r *kgo.Record) error {
	var e cabTaken
	if err := json.Unmarshal(r.Value, &e); err != nil {
		return err
	}
	_, err := w.db.ExecContext(ctx, `UPDATE rides SET cab = $2 WHERE id = $1 AND cab IS NULL`, e.Ride, e.Cab)
	return err
}
