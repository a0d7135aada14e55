package guarded

import (
	"context"
	"encoding/json"

	"github.com/twmb/franz-go/pkg/kgo"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

type receiptIssued struct {
	EventID string `json:"eventId"`
	Number  string `json:"number"`
	Cents   int64  `json:"cents"`
}

// ReceiptWorker is a guarded write: gorm's OnConflict DoNothing on the payload's number.
type ReceiptWorker struct {
	client *kgo.Client
	db     *gorm.DB
}

func NewReceiptWorker(seeds []string, db *gorm.DB) (*ReceiptWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("receipt"), kgo.ConsumeTopics("receipt.issued"))
	if err != nil {
		return nil, err
	}
	return &ReceiptWorker{client: client, db: db}, nil
}

func (w *ReceiptWorker) Run(ctx context.Context) error {
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

func (w *ReceiptWorker) handle(ctx context.Context, r *kgo.Record) error {
	var e receiptIssued
	if err := json.Unmarshal(r.Value, &e); err != nil {
		return err
	}
	row := receiptRow{Number: e.Number, Cents: e.Cents}
	return w.db.WithContext(ctx).Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "number"}}, DoNothing: true}).Create(&row).Error
}

type receiptRow struct {
	Number string `gorm:"primaryKey"`
	Cents  int64
}
