package gateoutside

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/twmb/franz-go/pkg/kgo"
	"gorm.io/gorm"
)

type pointsEarned struct {
	EventID string `json:"eventId"`
	Member  string `json:"member"`
	Points  int    `json:"points"`
}

// PointsWorker marks in a sync.Map: the mark is there when the write fails, and gone at the next start.
type PointsWorker struct {
	client *kgo.Client
	db     *gorm.DB
	seen   sync.Map
}

func NewPointsWorker(client *kgo.Client, db *gorm.DB) *PointsWorker {
	return &PointsWorker{client: client, db: db}
}

func (w *PointsWorker) Run(ctx context.Context) error {
	for {
		fetches := w.client.PollFetches(ctx)
		if fetches.IsClientClosed() {
			return nil
		}
		for iter := fetches.RecordIter(); !iter.Done(); {
			rec := iter.Next()
			if err := w.add(ctx, rec.Value); err != nil {
				return err
			}
			if err := w.client.CommitRecords(ctx, rec); err != nil {
				return err
			}
		}
	}
}

func (w *PointsWorker) add(ctx context.Context, payload []byte) error {
	var e pointsEarned
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	if _, seen := w.seen.LoadOrStore(e.EventID, struct{}{}); seen { // want "R-KFK-IDEM-3"
		return nil
	}
	return w.db.WithContext(ctx).Exec("UPDATE members SET points = points + ? WHERE id = ?", e.Points, e.Member).Error
}
