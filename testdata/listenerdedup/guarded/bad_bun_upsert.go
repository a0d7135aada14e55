package guarded

import (
	"context"
	"encoding/json"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/uptrace/bun"
)

type switchSet struct {
	EventID string `json:"eventId"`
	Switch  string `json:"switch"`
	Side    string `json:"side"`
}

// SwitchWorker overwrites through bun's On("CONFLICT … DO UPDATE").
type SwitchWorker struct {
	client *kgo.Client
	db     *bun.DB
}

func NewSwitchWorker(seeds []string, db *bun.DB) (*SwitchWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("switch"), kgo.ConsumeTopics("switch.set"))
	if err != nil {
		return nil, err
	}
	return &SwitchWorker{client: client, db: db}, nil
}

func (w *SwitchWorker) Run(ctx context.Context) error {
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

func (w *SwitchWorker) handle(ctx context.Context, r *kgo.Record) error {
	var e switchSet
	if err := json.Unmarshal(r.Value, &e); err != nil {
		return err
	}
	_, err := w.db.NewInsert().Model(&switchRow{ID: e.Switch, Side: e.Side}).On("CONFLICT (id) DO UPDATE").Set("side = EXCLUDED.side").Exec(ctx) // want "R-KFK-IDEM-X1.*overwrit"
	return err
}

type switchRow struct {
	bun.BaseModel `bun:"table:switches"`
	ID            string `bun:",pk"`
	Side          string
}
