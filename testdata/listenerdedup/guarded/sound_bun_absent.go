package guarded

import (
	"context"
	"encoding/json"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/uptrace/bun"
)

type trackLaid struct {
	EventID string `json:"eventId"`
	Track   string `json:"track"`
	Metres  int    `json:"metres"`
}

// TrackWorker is a guarded write: bun's On("CONFLICT … DO NOTHING") with the payload's key.
type TrackWorker struct {
	client *kgo.Client
	db     *bun.DB
}

func NewTrackWorker(seeds []string, db *bun.DB) (*TrackWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("track"), kgo.ConsumeTopics("track.laid"))
	if err != nil {
		return nil, err
	}
	return &TrackWorker{client: client, db: db}, nil
}

func (w *TrackWorker) Run(ctx context.Context) error {
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

func (w *TrackWorker) handle(ctx context.Context, r *kgo.Record) error {
	var e trackLaid
	if err := json.Unmarshal(r.Value, &e); err != nil {
		return err
	}
	_, err := w.db.NewInsert().Model(&trackRow{ID: e.Track, Metres: e.Metres}).On("CONFLICT (id) DO NOTHING").Exec(ctx)
	return err
}

type trackRow struct {
	bun.BaseModel `bun:"table:tracks"`
	ID            string `bun:",pk"`
	Metres        int
}
