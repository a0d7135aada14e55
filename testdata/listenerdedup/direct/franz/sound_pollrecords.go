package franzcase

import (
	"context"
	"encoding/json"

	"github.com/twmb/franz-go/pkg/kgo"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

type breakTaken struct {
	EventID string `json:"eventId"`
	Worker  string `json:"worker"`
	Minutes int    `json:"minutes"`
}

type breakRow struct {
	ID      uint `gorm:"primaryKey"`
	Worker  string
	Minutes int
}

type processedEvent struct {
	EventID       string `gorm:"primaryKey"`
	ConsumerGroup string `gorm:"primaryKey"`
}

// BookBreaks is PollRecords + RecordsAll; sound: the row is created only when the mark of the same transaction was new.
func BookBreaks(ctx context.Context, client *kgo.Client, db *gorm.DB) error {
	for {
		fetches := client.PollRecords(ctx, 200)
		if fetches.IsClientClosed() {
			return nil
		}
		for r := range fetches.RecordsAll() {
			var e breakTaken
			if err := json.Unmarshal(r.Value, &e); err != nil {
				return err
			}
			err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
				res := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&processedEvent{EventID: e.EventID, ConsumerGroup: "sheets"})
				if res.Error != nil {
					return res.Error
				}
				if res.RowsAffected == 1 {
					return tx.Create(&breakRow{Worker: e.Worker, Minutes: e.Minutes}).Error
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
		if err := client.CommitUncommittedOffsets(ctx); err != nil {
			return err
		}
	}
}
