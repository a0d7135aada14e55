package effects

import (
	"context"
	"encoding/json"

	"github.com/twmb/franz-go/pkg/kgo"
	"gorm.io/gorm"
)

type bandPlayed struct {
	EventID string   `json:"eventId"`
	Hall    string   `json:"hall"`
	Voices  []string `json:"voices"`
}

// BandWorker is sound: gorm's CreateInBatches stands behind the mark in its own transaction.
type BandWorker struct {
	client *kgo.Client
	db     *gorm.DB
}

func NewBandWorker(seeds []string, db *gorm.DB) (*BandWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("band"), kgo.ConsumeTopics("band.played"))
	if err != nil {
		return nil, err
	}
	return &BandWorker{client: client, db: db}, nil
}

func (w *BandWorker) Run(ctx context.Context) error {
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

func (w *BandWorker) handle(ctx context.Context, r *kgo.Record) error {
	var e bandPlayed
	if err := json.Unmarshal(r.Value, &e); err != nil {
		return err
	}
	rows := make([]bandRow, 0, len(e.Voices))
	for _, v := range e.Voices {
		rows = append(rows, bandRow{Hall: e.Hall, Voice: v})
	}
	return w.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		mark := tx.Exec("INSERT INTO processed_events (event_id, consumer_group) VALUES (?, 'band') ON CONFLICT DO NOTHING", e.EventID)
		if mark.Error != nil || mark.RowsAffected == 0 {
			return mark.Error
		}
		return tx.CreateInBatches(rows, 50).Error
	})
}

type bandRow struct {
	ID    uint `gorm:"primaryKey"`
	Hall  string
	Voice string
}
