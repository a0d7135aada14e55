package gormcase

import (
	"context"
	"errors"

	"gorm.io/gorm"
)

// MarkFirstOrCreate is a SELECT and an INSERT after it: two deliveries both find nothing.
func MarkFirstOrCreate(ctx context.Context, tx *gorm.DB, eventID string) (bool, error) {
	row := ProcessedEvent{EventID: eventID, ConsumerGroup: "rents"}
	res := tx.WithContext(ctx).Where("event_id = ?", eventID).FirstOrCreate(&row) // want "R-KFK-IDEM-2"
	return res.RowsAffected == 1, res.Error
}

// MarkFirstThenCreate writes the same two steps out.
func MarkFirstThenCreate(ctx context.Context, tx *gorm.DB, eventID string) (bool, error) {
	var row ProcessedEvent
	err := tx.WithContext(ctx).First(&row, "event_id = ?", eventID).Error
	if err == nil {
		return false, nil
	}
	if !errors.Is(err, gorm.ErrRecordNotFound) {
		return false, err
	}
	row = ProcessedEvent{EventID: eventID, ConsumerGroup: "rents"}
	err = tx.WithContext(ctx).Create(&row).Error // want "R-KFK-IDEM-2"
	return err == nil, err
}
