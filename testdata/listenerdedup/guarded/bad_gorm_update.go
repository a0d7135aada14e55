package guarded

import (
	"context"
	"encoding/json"
	"log"

	"github.com/segmentio/kafka-go"
	"gorm.io/gorm"
)

type passportMoved struct {
	EventID  string `json:"eventId"`
	Passport string `json:"passport"`
	Office   string `json:"office"`
}

// PassportWorker overwrites by key through gorm's Update.
type PassportWorker struct {
	reader *kafka.Reader
	db     *gorm.DB
}

func NewPassportWorker(brokers []string, db *gorm.DB) *PassportWorker {
	return &PassportWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "passport.moved", GroupID: "passport"}),
		db:     db,
	}
}

func (w *PassportWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("passport.moved at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *PassportWorker) handle(ctx context.Context, body []byte) error {
	var e passportMoved
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	return w.db.WithContext(ctx).Table("passports").Where("id = ?", e.Passport).Update("office", e.Office).Error // want "R-KFK-IDEM-X1.*overwrit"
}
