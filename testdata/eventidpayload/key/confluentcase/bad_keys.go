// Package confluentcase takes the ids of events from confluent's headers.
package confluentcase

import (
	"encoding/json"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// ProcessedEvent is the dedup row.
type ProcessedEvent struct {
	EventID string `gorm:"primaryKey"`
}

// Visit is counted.
type Visit struct {
	ID   uint
	Page string
}

type pageSeen struct {
	EventID string `json:"eventId"`
	Page    string `json:"page"`
}

func consume(c *kafka.Consumer, db *gorm.DB) error {
	for {
		msg, err := c.ReadMessage(-1)
		if err != nil {
			return err
		}
		var id string
		for i := range msg.Headers {
			if msg.Headers[i].Key == "eventId" {
				id = string(msg.Headers[i].Value)
				break
			}
		}
		if err := count(db, id, string(msg.Value)); err != nil {
			return err
		}
	}
}

func count(db *gorm.DB, id, page string) error {
	return db.Transaction(func(tx *gorm.DB) error {
		res := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&ProcessedEvent{EventID: id}) // want "a header of the record"
		if res.Error != nil || res.RowsAffected == 0 {
			return res.Error
		}
		return tx.Create(&Visit{Page: page}).Error
	})
}

func soundConsume(c *kafka.Consumer, db *gorm.DB) error {
	for {
		msg, err := c.ReadMessage(-1)
		if err != nil {
			return err
		}
		var ev pageSeen
		if err := json.Unmarshal(msg.Value, &ev); err != nil {
			continue
		}
		if err := db.Transaction(func(tx *gorm.DB) error {
			res := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&ProcessedEvent{EventID: ev.EventID})
			if res.Error != nil || res.RowsAffected == 0 {
				return res.Error
			}
			return tx.Create(&Visit{Page: ev.Page}).Error
		}); err != nil {
			return err
		}
	}
}
