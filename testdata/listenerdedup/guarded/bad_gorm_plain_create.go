package guarded

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"
	"github.com/twmb/franz-go/pkg/kgo"
	"gorm.io/gorm"
)

type slipIssued struct {
	EventID string `json:"eventId"`
	Shop    string `json:"shop"`
	Cents   int64  `json:"cents"`
}

// SlipWorker creates a gorm row whose key is generated.
type SlipWorker struct {
	client *kgo.Client
	db     *gorm.DB
}

func NewSlipWorker(seeds []string, db *gorm.DB) (*SlipWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("slip"), kgo.ConsumeTopics("slip.issued"))
	if err != nil {
		return nil, err
	}
	return &SlipWorker{client: client, db: db}, nil
}

func (w *SlipWorker) Run(ctx context.Context) error {
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

func (w *SlipWorker) handle(ctx context.Context, r *kgo.Record) error {
	var e slipIssued
	if err := json.Unmarshal(r.Value, &e); err != nil {
		return err
	}
	row := slipRow{ID: uuid.NewString(), Shop: e.Shop, Cents: e.Cents}
	return w.db.WithContext(ctx).Create(&row).Error // want "R-KFK-IDEM-X1"
}

type slipRow struct {
	ID    string `gorm:"primaryKey"`
	Shop  string
	Cents int64
}
