package guarded

import (
	"context"
	"encoding/json"
	"log"

	"github.com/segmentio/kafka-go"
	"gorm.io/gorm"
)

type deviceSeen struct {
	EventID  string `json:"eventId"`
	Serial   string `json:"serial"`
	Firmware string `json:"firmware"`
}

// DeviceWorker saves the whole gorm row over what is there.
type DeviceWorker struct {
	reader *kafka.Reader
	db     *gorm.DB
}

func NewDeviceWorker(brokers []string, db *gorm.DB) *DeviceWorker {
	return &DeviceWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "device.seen", GroupID: "device"}),
		db:     db,
	}
}

func (w *DeviceWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("device.seen at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *DeviceWorker) handle(ctx context.Context, body []byte) error {
	var e deviceSeen
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	return w.db.WithContext(ctx).Save(&deviceRow{Serial: e.Serial, Firmware: e.Firmware}).Error // want "R-KFK-IDEM-X1.*overwrit"
}

type deviceRow struct {
	Serial   string `gorm:"primaryKey"`
	Firmware string
}
