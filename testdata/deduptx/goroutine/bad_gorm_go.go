package goroutine

import (
	"context"
	"encoding/json"

	"github.com/twmb/franz-go/pkg/kgo"
	"gorm.io/gorm"
)

type tentRented struct {
	EventID string `json:"eventId"`
	Camp    string `json:"camp"`
}

// CampWorker writes in a goroutine started from gorm's closure, which returns at once.
type CampWorker struct {
	client *kgo.Client
	db     *gorm.DB
}

func NewCampWorker(seeds []string, db *gorm.DB) (*CampWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("tent-ledger"), kgo.ConsumeTopics("tent.rented"), kgo.DisableAutoCommit())
	if err != nil {
		return nil, err
	}
	return &CampWorker{client: client, db: db}, nil
}

func (w *CampWorker) Run(ctx context.Context) error {
	for {
		fetches := w.client.PollFetches(ctx)
		if fetches.IsClientClosed() {
			return nil
		}
		for iter := fetches.RecordIter(); !iter.Done(); {
			rec := iter.Next()
			if err := w.rent(ctx, rec.Value); err != nil {
				return err
			}
			if err := w.client.CommitRecords(ctx, rec); err != nil {
				return err
			}
		}
	}
}

func (w *CampWorker) rent(ctx context.Context, payload []byte) error {
	var e tentRented
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	return w.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		res := tx.Exec("INSERT INTO processed_events (event_id) VALUES (?) ON CONFLICT DO NOTHING", e.EventID)
		if res.Error != nil || res.RowsAffected == 0 {
			return res.Error
		}
		go func() {
			tx.Exec("UPDATE camps SET tents = tents - 1 WHERE id = ?", e.Camp) // want "R-KFK-IDEM-3"
		}()
		return nil
	})
}
