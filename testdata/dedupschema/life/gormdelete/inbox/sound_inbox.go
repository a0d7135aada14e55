// Package inbox is the dedup table by gorm.
package inbox

import (
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// HandledMessage is its row.
type HandledMessage struct {
	MessageID string `gorm:"primaryKey"`
	HandledAt time.Time
}

// Repo reads and writes it.
type Repo struct{ DB *gorm.DB }

// Claim reports whether the message is new.
func (r *Repo) Claim(id string) (bool, error) {
	res := r.DB.Clauses(clause.OnConflict{DoNothing: true}).Create(&HandledMessage{MessageID: id, HandledAt: time.Now()})
	return res.RowsAffected == 1, res.Error
}

// Expire removes what is older.
func (r *Repo) Expire(before time.Time) error {
	return r.DB.Where("handled_at < ?", before).Delete(&HandledMessage{}).Error
}
