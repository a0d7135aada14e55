package guarded

import (
	"context"
	"encoding/json"

	"github.com/segmentio/kafka-go"
	"gorm.io/gorm"
)

type pageEdited struct {
	EventID string `json:"eventId"`
	Page    string `json:"page"`
	Text    string `json:"text"`
	Version int    `json:"version"`
}

// PageWorker is a guarded write: gorm's Where lets only a newer version through.
type PageWorker struct {
	reader *kafka.Reader
	db     *gorm.DB
}

func NewPageWorker(brokers []string, db *gorm.DB) *PageWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "page.edited", GroupID: "page"})
	return &PageWorker{reader: r, db: db}
}

func (w *PageWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.handle(ctx, m); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (w *PageWorker) handle(ctx context.Context, m kafka.Message) error {
	var e pageEdited
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	return w.db.WithContext(ctx).Table("pages").Where("id = ? AND version < ?", e.Page, e.Version).Updates(map[string]any{"body": e.Text, "version": e.Version}).Error
}
