package effects

import (
	"context"
	"encoding/json"

	"github.com/twmb/franz-go/pkg/kgo"
	"gorm.io/gorm"
)

type choirSung struct {
	EventID string   `json:"eventId"`
	Hall    string   `json:"hall"`
	Voices  []string `json:"voices"`
}

// ChoirWorker has gorm's CreateInBatches as its effect and no gate.
type ChoirWorker struct {
	client *kgo.Client
	db     *gorm.DB
}

func NewChoirWorker(seeds []string, db *gorm.DB) (*ChoirWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("choir"), kgo.ConsumeTopics("choir.sung"))
	if err != nil {
		return nil, err
	}
	return &ChoirWorker{client: client, db: db}, nil
}

func (w *ChoirWorker) Run(ctx context.Context) error {
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

func (w *ChoirWorker) handle(ctx context.Context, r *kgo.Record) error {
	var e choirSung
	if err := json.Unmarshal(r.Value, &e); err != nil {
		return err
	}
	rows := make([]choirRow, 0, len(e.Voices))
	for _, v := range e.Voices {
		rows = append(rows, choirRow{Hall: e.Hall, Voice: v})
	}
	return w.db.WithContext(ctx).CreateInBatches(rows, 50).Error // want "R-KFK-IDEM-X1"
}

type choirRow struct {
	ID    uint `gorm:"primaryKey"`
	Hall  string
	Voice string
}
