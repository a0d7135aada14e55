package gateoutside

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/twmb/franz-go/pkg/kgo"
	"gorm.io/gorm"
)

type pointsSpent struct {
	EventID string `json:"eventId"`
	Member  string `json:"member"`
	Shop    string `json:"shop"`
	Points  int    `json:"points"`
}

// SpendWorker keeps the shops' rates in a sync.Map; right: the map is a cache, the gate is in gorm's transaction.
type SpendWorker struct {
	client *kgo.Client
	db     *gorm.DB
	rates  sync.Map
}

func NewSpendWorker(client *kgo.Client, db *gorm.DB) *SpendWorker {
	return &SpendWorker{client: client, db: db}
}

func (w *SpendWorker) Run(ctx context.Context) error {
	for {
		fetches := w.client.PollFetches(ctx)
		if fetches.IsClientClosed() {
			return nil
		}
		for iter := fetches.RecordIter(); !iter.Done(); {
			rec := iter.Next()
			if err := w.spend(ctx, rec.Value); err != nil {
				return err
			}
			if err := w.client.CommitRecords(ctx, rec); err != nil {
				return err
			}
		}
	}
}

func (w *SpendWorker) spend(ctx context.Context, payload []byte) error {
	var e pointsSpent
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	rate, _ := w.rates.LoadOrStore(e.Shop, 1)
	return w.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		res := tx.Exec("INSERT INTO processed_events (event_id) VALUES (?) ON CONFLICT DO NOTHING", e.EventID)
		if res.Error != nil || res.RowsAffected == 0 {
			return res.Error
		}
		return tx.Exec("UPDATE members SET points = points - ? WHERE id = ?", e.Points*rate.(int), e.Member).Error
	})
}
