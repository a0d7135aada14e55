// Package gormcase makes its tables with AutoMigrate.
package gormcase

import (
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// ProcessedEvent has a number for a key.
type ProcessedEvent struct {
	ID          uint   `gorm:"primaryKey"`
	EventID     string `gorm:"type:uuid;not null;index"`
	ProcessedAt time.Time
}

// InboxMessage's key holds the time of the delivery.
type InboxMessage struct {
	MessageID  string    `gorm:"primaryKey;size:64"`
	ReceivedAt time.Time `gorm:"primaryKey;autoCreateTime"`
}

func migrate(db *gorm.DB) error {
	if err := db.AutoMigrate(&ProcessedEvent{}); err != nil {
		return err
	}
	return db.Migrator().CreateTable(&InboxMessage{})
}

func first(tx *gorm.DB, id string) (bool, error) {
	res := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&ProcessedEvent{EventID: id}) // want "by the tags of gormcase.ProcessedEvent, processed_events has no primary key or unique constraint on event_id"
	return res.RowsAffected == 1, res.Error
}

func received(tx *gorm.DB, id string) (bool, error) {
	msg := InboxMessage{MessageID: id}
	res := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&msg) // want "by the tags of gormcase.InboxMessage, the key .message_id, received_at. of inbox_messages holds received_at"
	return res.RowsAffected == 1, res.Error
}
