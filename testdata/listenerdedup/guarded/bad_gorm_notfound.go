package guarded

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/twmb/franz-go/pkg/kgo"
	"gorm.io/gorm"
)

type trophyGiven struct {
	EventID string `json:"eventId"`
	Lab     string `json:"lab"`
}

// TrophyWorker forgives gorm.ErrRecordNotFound, which a create does not raise.
type TrophyWorker struct {
	client *kgo.Client
	db     *gorm.DB
}

func NewTrophyWorker(seeds []string, db *gorm.DB) (*TrophyWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("trophy"), kgo.ConsumeTopics("trophy.given"))
	if err != nil {
		return nil, err
	}
	return &TrophyWorker{client: client, db: db}, nil
}

func (w *TrophyWorker) Run(ctx context.Context) error {
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

func (w *TrophyWorker) handle(ctx context.Context, r *kgo.Record) error {
	var e trophyGiven
	if err := json.Unmarshal(r.Value, &e); err != nil {
		return err
	}
	err := w.db.WithContext(ctx).Create(&trophyRow{Lab: e.Lab}).Error // want "R-KFK-IDEM-X1"
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil
	}
	return err
}

type trophyRow struct {
	ID  uint `gorm:"primaryKey"`
	Lab string
}
