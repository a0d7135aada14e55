package gormcase

import (
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// HandledEvent has a compound key.
type HandledEvent struct {
	EventID       string `gorm:"primaryKey"`
	ConsumerGroup string `gorm:"primaryKey"`
	HandledAt     time.Time
}

// SeenEvent has a unique index over two columns.
type SeenEvent struct {
	gorm.Model
	EventID  string `gorm:"column:event_id;uniqueIndex:seen_once"`
	Consumer string `gorm:"uniqueIndex:seen_once"`
}

// ConsumedEvent is made by SQL that is not seen: its tags say nothing.
type ConsumedEvent struct {
	ID      uint
	EventID string
}

func soundMigrate(db *gorm.DB) error { return db.AutoMigrate(&HandledEvent{}, &SeenEvent{}) }

func handled(tx *gorm.DB, id, group string) (bool, error) {
	res := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&HandledEvent{EventID: id, ConsumerGroup: group})
	return res.RowsAffected == 1, res.Error
}

func seen(tx *gorm.DB, id, group string) (bool, error) {
	res := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&SeenEvent{EventID: id, Consumer: group})
	return res.RowsAffected == 1, res.Error
}

func consumed(tx *gorm.DB, id string) (bool, error) {
	res := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&ConsumedEvent{EventID: id})
	return res.RowsAffected == 1, res.Error
}
