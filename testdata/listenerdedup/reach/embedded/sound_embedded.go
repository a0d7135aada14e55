package embedded

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/segmentio/kafka-go"
	"gorm.io/gorm"
)

type emberSeen struct {
	EventID string `json:"eventId"`
	Tower   string `json:"tower"`
	Count   int    `json:"count"`
}

// emberSource embeds the reader; its methods are promoted.
type emberSource struct {
	*kafka.Reader
	topic string
}

// EmberWorker fetches through the embedding struct; sound: the event is marked before the update.
type EmberWorker struct {
	emberSource
	db *gorm.DB
}

func NewEmberWorker(brokers []string, db *gorm.DB) *EmberWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "embers", GroupID: "towers"})
	return &EmberWorker{emberSource: emberSource{Reader: r, topic: "embers"}, db: db}
}

func (w *EmberWorker) Run(ctx context.Context) error {
	for {
		m, err := w.FetchMessage(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", w.topic, err)
		}
		var e emberSeen
		if err := json.Unmarshal(m.Value, &e); err != nil {
			return err
		}
		err = w.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
			mark := tx.Exec("INSERT INTO processed_events (event_id, consumer_group) VALUES (?, 'towers') ON CONFLICT DO NOTHING", e.EventID)
			if mark.Error != nil || mark.RowsAffected == 0 {
				return mark.Error
			}
			return tx.Exec("UPDATE towers SET embers = embers + ? WHERE id = ?", e.Count, e.Tower).Error
		})
		if err != nil {
			return err
		}
		if err := w.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}
