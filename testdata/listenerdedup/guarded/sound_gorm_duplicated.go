package guarded

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/twmb/franz-go/pkg/kgo"
	"gorm.io/gorm"
)

type awardGiven struct {
	EventID string `json:"eventId"`
	Number  string `json:"number"`
	Lab     string `json:"lab"`
}

// AwardWorker is a guarded write: gorm.ErrDuplicatedKey is taken as success.
type AwardWorker struct {
	client *kgo.Client
	db     *gorm.DB
}

func NewAwardWorker(seeds []string, db *gorm.DB) (*AwardWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("award"), kgo.ConsumeTopics("award.given"))
	if err != nil {
		return nil, err
	}
	return &AwardWorker{client: client, db: db}, nil
}

func (w *AwardWorker) Run(ctx context.Context) error {
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

func (w *AwardWorker) handle(ctx context.Context, r *kgo.Record) error {
	var e awardGiven
	if err := json.Unmarshal(r.Value, &e); err != nil {
		return err
	}
	err := w.db.WithContext(ctx).Create(&awardRow{Number: e.Number, Lab: e.Lab}).Error
	if errors.Is(err, gorm.ErrDuplicatedKey) {
		return nil
	}
	return err
}

type awardRow struct {
	Number string `gorm:"primaryKey"`
	Lab    string
}
