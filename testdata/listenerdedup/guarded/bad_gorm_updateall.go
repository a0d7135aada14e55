package guarded

import (
	"context"
	"encoding/json"

	"github.com/twmb/franz-go/pkg/kgo"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

type statementIssued struct {
	EventID string `json:"eventId"`
	Number  string `json:"number"`
	Cents   int64  `json:"cents"`
}

// StatementWorker has gorm's OnConflict UpdateAll: a late replay writes the old amount over the newer one.
type StatementWorker struct {
	client *kgo.Client
	db     *gorm.DB
}

func NewStatementWorker(seeds []string, db *gorm.DB) (*StatementWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("statement"), kgo.ConsumeTopics("statement.issued"))
	if err != nil {
		return nil, err
	}
	return &StatementWorker{client: client, db: db}, nil
}

func (w *StatementWorker) Run(ctx context.Context) error {
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

func (w *StatementWorker) handle(ctx context.Context, r *kgo.Record) error {
	var e statementIssued
	if err := json.Unmarshal(r.Value, &e); err != nil {
		return err
	}
	row := statementRow{Number: e.Number, Cents: e.Cents}
	return w.db.WithContext(ctx).Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error // want "R-KFK-IDEM-X1.*overwrit"
}

type statementRow struct {
	Number string `gorm:"primaryKey"`
	Cents  int64
}
