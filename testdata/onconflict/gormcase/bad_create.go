package gormcase

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// ProcessedEvent is the dedup row by gorm's own naming: processed_events.
type ProcessedEvent struct {
	EventID       string `gorm:"primaryKey"`
	ConsumerGroup string `gorm:"primaryKey"`
	ProcessedAt   time.Time
}

// seenRecord is the dedup row whose table is named by a method.
type seenRecord struct {
	EventID string `gorm:"primaryKey"`
}

func (seenRecord) TableName() string { return "inbox_events" }

// MarkCreate is a Create without a clause.
func MarkCreate(ctx context.Context, tx *gorm.DB, eventID string) (bool, error) {
	res := tx.WithContext(ctx).Create(&ProcessedEvent{EventID: eventID, ConsumerGroup: "rents"}) // want "R-KFK-IDEM-2"
	return res.RowsAffected == 1, res.Error
}

// MarkTableName is a Create without a clause into a table named by TableName.
func MarkTableName(ctx context.Context, tx *gorm.DB, eventID string) (bool, error) {
	row := seenRecord{EventID: eventID}
	res := tx.WithContext(ctx).Create(&row) // want "R-KFK-IDEM-2"
	return res.RowsAffected == 1, res.Error
}

// MarkTable is a Create without a clause into a table named by Table.
func MarkTable(ctx context.Context, tx *gorm.DB, eventID string) (bool, error) {
	res := tx.WithContext(ctx).Table("processed_messages").Create(map[string]any{"message_id": eventID}) // want "R-KFK-IDEM-2"
	return res.RowsAffected == 1, res.Error
}

// MarkAll is a CreateInBatches without a clause.
func MarkAll(ctx context.Context, tx *gorm.DB, rows []ProcessedEvent) (int64, error) {
	res := tx.WithContext(ctx).CreateInBatches(rows, 100) // want "R-KFK-IDEM-2"
	return res.RowsAffected, res.Error
}

// MarkGeneric is the generic API's Create without a clause.
func MarkGeneric(ctx context.Context, tx *gorm.DB, eventID string) error {
	return gorm.G[ProcessedEvent](tx).Create(ctx, &ProcessedEvent{EventID: eventID, ConsumerGroup: "rents"}) // want "R-KFK-IDEM-2"
}

// MarkRaw is a raw INSERT without the clause.
func MarkRaw(ctx context.Context, tx *gorm.DB, eventID string) (bool, error) {
	res := tx.WithContext(ctx).Exec("INSERT INTO processed_events (event_id) VALUES (?)", eventID) // want "R-KFK-IDEM-2"
	return res.RowsAffected == 1, res.Error
}

// MarkReturning is Clauses with another clause than OnConflict.
func MarkReturning(ctx context.Context, tx *gorm.DB, eventID string) (bool, error) {
	row := ProcessedEvent{EventID: eventID, ConsumerGroup: "rents"}
	res := tx.WithContext(ctx).Clauses(clause.Returning{}).Create(&row) // want "R-KFK-IDEM-2"
	return res.RowsAffected == 1, res.Error
}

// MarkDuplicatedKey takes gorm's translated violation for the answer.
func MarkDuplicatedKey(ctx context.Context, tx *gorm.DB, eventID string) (bool, error) {
	err := tx.WithContext(ctx).Create(&ProcessedEvent{EventID: eventID, ConsumerGroup: "rents"}).Error // want "R-KFK-IDEM-2"
	if errors.Is(err, gorm.ErrDuplicatedKey) {
		return false, nil
	}
	return err == nil, err
}
