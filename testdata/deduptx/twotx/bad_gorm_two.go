package twotx

import (
	"context"
	"encoding/json"

	"github.com/twmb/franz-go/pkg/kgo"
	"gorm.io/gorm"
)

type lessonGiven struct {
	EventID string `json:"eventId"`
	Tutor   string `json:"tutor"`
	Hours   int    `json:"hours"`
}

// TutorWorker runs gorm's Transaction twice: the mark is durable before the work.
type TutorWorker struct {
	client *kgo.Client
	db     *gorm.DB
}

func NewTutorWorker(seeds []string, db *gorm.DB) (*TutorWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("lesson-ledger"), kgo.ConsumeTopics("lesson.given"), kgo.DisableAutoCommit())
	if err != nil {
		return nil, err
	}
	return &TutorWorker{client: client, db: db}, nil
}

func (w *TutorWorker) Run(ctx context.Context) error {
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

func (w *TutorWorker) count(ctx context.Context, payload []byte) error {
	var e lessonGiven
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	var marked int64
	err := w.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		res := tx.Exec("INSERT INTO processed_events (event_id) VALUES (?) ON CONFLICT DO NOTHING", e.EventID)
		marked = res.RowsAffected
		return res.Error
	})
	if err != nil || marked == 0 {
		return err
	}
	return w.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		return tx.Exec("UPDATE tutors SET hours = hours + ? WHERE id = ?", e.Hours, e.Tutor).Error // want "R-KFK-IDEM-3"
	})
}
