package goroutine

import (
	"context"
	"encoding/json"

	"github.com/twmb/franz-go/pkg/kgo"
	"gorm.io/gorm"
)

type cabinRented struct {
	EventID string `json:"eventId"`
	Camp    string `json:"camp"`
}

// CabinWorker writes in a goroutine and reads its answer from a channel inside gorm's closure; right: the closure cannot return before.
type CabinWorker struct {
	client *kgo.Client
	db     *gorm.DB
}

func NewCabinWorker(seeds []string, db *gorm.DB) (*CabinWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("cabin-ledger"), kgo.ConsumeTopics("cabin.rented"), kgo.DisableAutoCommit())
	if err != nil {
		return nil, err
	}
	return &CabinWorker{client: client, db: db}, nil
}

func (w *CabinWorker) Run(ctx context.Context) error {
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

func (w *CabinWorker) rent(ctx context.Context, payload []byte) error {
	var e cabinRented
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	return w.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		res := tx.Exec("INSERT INTO processed_events (event_id) VALUES (?) ON CONFLICT DO NOTHING", e.EventID)
		if res.Error != nil || res.RowsAffected == 0 {
			return res.Error
		}
		done := make(chan error, 1)
		go func() {
			done <- tx.Exec("UPDATE camps SET cabins = cabins - 1 WHERE id = ?", e.Camp).Error
		}()
		return <-done
	})
}
