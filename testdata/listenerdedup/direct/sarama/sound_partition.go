package saramacase

import (
	"encoding/json"

	"github.com/IBM/sarama"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

type creditNoteIssued struct {
	EventID string `json:"eventId"`
	Number  string `json:"number"`
	Cents   int64  `json:"cents"`
}

type creditNoteRow struct {
	ID     uint `gorm:"primaryKey"`
	Number string
	Cents  int64
}

// ProcessedEvent is the gate's row.
type ProcessedEvent struct {
	EventID       string `gorm:"primaryKey"`
	ConsumerGroup string `gorm:"primaryKey"`
}

// RunCreditNotes reads one partition; sound: the gorm transaction marks the event first and stops when no row was added.
func RunCreditNotes(client sarama.Client, db *gorm.DB) error {
	offsets, err := sarama.NewOffsetManagerFromClient("credit-notes", client)
	if err != nil {
		return err
	}
	defer offsets.Close()
	pom, err := offsets.ManagePartition("credit-notes", 0)
	if err != nil {
		return err
	}
	consumer, err := sarama.NewConsumerFromClient(client)
	if err != nil {
		return err
	}
	next, _ := pom.NextOffset()
	pc, err := consumer.ConsumePartition("credit-notes", 0, next)
	if err != nil {
		return err
	}
	defer pc.Close()
	for msg := range pc.Messages() {
		var e creditNoteIssued
		if err := json.Unmarshal(msg.Value, &e); err != nil {
			return err
		}
		err := db.Transaction(func(tx *gorm.DB) error {
			mark := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&ProcessedEvent{EventID: e.EventID, ConsumerGroup: "credit-notes"})
			if mark.Error != nil {
				return mark.Error
			}
			if mark.RowsAffected == 0 {
				return nil
			}
			return tx.Create(&creditNoteRow{Number: e.Number, Cents: e.Cents}).Error
		})
		if err != nil {
			return err
		}
		pom.MarkOffset(msg.Offset+1, "")
	}
	return nil
}
