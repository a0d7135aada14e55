package gormcase

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// MarkUpdateAll updates on conflict: one row affected both times.
func MarkUpdateAll(ctx context.Context, tx *gorm.DB, eventID string) (bool, error) {
	row := ProcessedEvent{EventID: eventID, ConsumerGroup: "rents"}
	res := tx.WithContext(ctx).Clauses(clause.OnConflict{UpdateAll: true}).Create(&row) // want "R-KFK-IDEM-2"
	return res.RowsAffected == 1, res.Error
}

// MarkDoUpdates updates one column on conflict: one row affected both times.
func MarkDoUpdates(ctx context.Context, tx *gorm.DB, eventID string) (bool, error) {
	onConflict := clause.OnConflict{
		Columns:   []clause.Column{{Name: "event_id"}, {Name: "consumer_group"}},
		DoUpdates: clause.AssignmentColumns([]string{"processed_at"}),
	}
	row := ProcessedEvent{EventID: eventID, ConsumerGroup: "rents"}
	res := tx.WithContext(ctx).Clauses(onConflict).Create(&row) // want "R-KFK-IDEM-2"
	return res.RowsAffected == 1, res.Error
}

// MarkSave saves the row whether it is there or not: one row affected both times.
func MarkSave(ctx context.Context, tx *gorm.DB, eventID string) (bool, error) {
	res := tx.WithContext(ctx).Save(&ProcessedEvent{EventID: eventID, ConsumerGroup: "rents"}) // want "R-KFK-IDEM-2"
	return res.RowsAffected == 1, res.Error
}
