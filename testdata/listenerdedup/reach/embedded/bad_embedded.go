package embedded

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/segmentio/kafka-go"
	"gorm.io/gorm"
)

type sparkSeen struct {
	EventID string `json:"eventId"`
	Tower   string `json:"tower"`
	Count   int    `json:"count"`
}

// sparkSource embeds the reader; its methods are promoted.
type sparkSource struct {
	*kafka.Reader
	topic string
}

// SparkWorker fetches through the embedding struct; no gate stands before the update.
type SparkWorker struct {
	sparkSource
	db *gorm.DB
}

func NewSparkWorker(brokers []string, db *gorm.DB) *SparkWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "sparks", GroupID: "towers"})
	return &SparkWorker{sparkSource: sparkSource{Reader: r, topic: "sparks"}, db: db}
}

func (w *SparkWorker) Run(ctx context.Context) error {
	for {
		m, err := w.FetchMessage(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", w.topic, err)
		}
		var e sparkSeen
		if err := json.Unmarshal(m.Value, &e); err != nil {
			return err
		}
		if err := w.db.WithContext(ctx).Exec("UPDATE towers SET sparks = sparks + ? WHERE id = ?", e.Count, e.Tower).Error; err != nil { // want "R-KFK-IDEM-X1"
			return err
		}
		if err := w.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}
