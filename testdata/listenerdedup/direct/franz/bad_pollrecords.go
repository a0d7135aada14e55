package franzcase

import (
	"context"
	"encoding/json"

	"github.com/twmb/franz-go/pkg/kgo"
	"gorm.io/gorm"
)

type shiftEnded struct {
	EventID string `json:"eventId"`
	Worker  string `json:"worker"`
	Minutes int    `json:"minutes"`
}

type shiftRow struct {
	ID      uint `gorm:"primaryKey"`
	Worker  string
	Minutes int
}

// BookShifts is PollRecords + Records; each delivery adds a row to the time sheet.
func BookShifts(ctx context.Context, client *kgo.Client, db *gorm.DB) error {
	for {
		fetches := client.PollRecords(ctx, 200)
		if fetches.IsClientClosed() {
			return nil
		}
		for _, r := range fetches.Records() {
			var e shiftEnded
			if err := json.Unmarshal(r.Value, &e); err != nil {
				return err
			}
			if err := db.WithContext(ctx).Create(&shiftRow{Worker: e.Worker, Minutes: e.Minutes}).Error; err != nil { // want "R-KFK-IDEM-X1"
				return err
			}
		}
		if err := client.CommitUncommittedOffsets(ctx); err != nil {
			return err
		}
	}
}
