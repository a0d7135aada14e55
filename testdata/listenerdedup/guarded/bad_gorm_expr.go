package guarded

import (
	"context"
	"encoding/json"
	"log"

	"github.com/segmentio/kafka-go"
	"gorm.io/gorm"
)

type visaStamped struct {
	EventID string `json:"eventId"`
	Visa    string `json:"visa"`
	Entries int    `json:"entries"`
}

// VisaWorker is a relative update through gorm.Expr.
type VisaWorker struct {
	reader *kafka.Reader
	db     *gorm.DB
}

func NewVisaWorker(brokers []string, db *gorm.DB) *VisaWorker {
	return &VisaWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "visa.stamped", GroupID: "visa"}),
		db:     db,
	}
}

func (w *VisaWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("visa.stamped at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *VisaWorker) handle(ctx context.Context, body []byte) error {
	var e visaStamped
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	return w.db.WithContext(ctx).Table("visas").Where("id = ?", e.Visa).Update("entries", gorm.Expr("entries + ?", e.Entries)).Error // want "R-KFK-IDEM-X1"
}
