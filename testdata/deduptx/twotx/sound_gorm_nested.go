package twotx

import (
	"context"
	"encoding/json"

	"github.com/twmb/franz-go/pkg/kgo"
	"gorm.io/gorm"
)

type talkHeld struct {
	EventID string `json:"eventId"`
	Mentor  string `json:"mentor"`
	Hours   int    `json:"hours"`
}

// MentorWorker nests gorm's Transaction; right: the inner one is a savepoint of the outer.
type MentorWorker struct {
	client *kgo.Client
	db     *gorm.DB
}

func NewMentorWorker(seeds []string, db *gorm.DB) (*MentorWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("talk-ledger"), kgo.ConsumeTopics("talk.held"), kgo.DisableAutoCommit())
	if err != nil {
		return nil, err
	}
	return &MentorWorker{client: client, db: db}, nil
}

func (w *MentorWorker) Run(ctx context.Context) error {
	for {
		fetches := w.client.PollFetches(ctx)
		if fetches.IsClientClosed() {
			return nil
		}
		for iter := fetches.RecordIter(); !iter.Done(); {
			rec := iter.Next()
			if err := w.count(ctx, rec.Value); err != nil {
				return err
			}
			if err := w.client.CommitRecords(ctx, rec); err != nil {
				return err
			}
		}
	}
}

func (w *MentorWorker) count(ctx context.Context, payload []byte) error {
	var e talkHeld
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	return w.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		res := tx.Exec("INSERT INTO processed_events (event_id) VALUES (?) ON CONFLICT DO NOTHING", e.EventID)
		if res.Error != nil || res.RowsAffected == 0 {
			return res.Error
		}
		return tx.Transaction(func(inner *gorm.DB) error {
			return inner.Exec("UPDATE mentors SET hours = hours + ? WHERE id = ?", e.Hours, e.Mentor).Error
		})
	})
}
