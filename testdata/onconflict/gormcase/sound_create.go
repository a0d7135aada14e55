package gormcase

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// ClaimedEvent is the dedup row; its table is named by a method.
type ClaimedEvent struct {
	EventID       string `gorm:"primaryKey"`
	ConsumerGroup string `gorm:"primaryKey"`
	ClaimedAt     time.Time
}

// TableName is the dedup table's name.
func (ClaimedEvent) TableName() string { return "processed_events" }

// ClaimCreate has the clause; right: zero rows affected is a duplicate.
func ClaimCreate(ctx context.Context, tx *gorm.DB, eventID string) (bool, error) {
	res := tx.WithContext(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&ClaimedEvent{EventID: eventID, ConsumerGroup: "leases"})
	return res.RowsAffected == 1, res.Error
}

// ClaimTarget has the clause with columns, in a variable; right: zero rows affected is a duplicate.
func ClaimTarget(ctx context.Context, tx *gorm.DB, eventID string) (bool, error) {
	onConflict := clause.OnConflict{
		Columns:   []clause.Column{{Name: "event_id"}, {Name: "consumer_group"}},
		DoNothing: true,
	}
	row := ClaimedEvent{EventID: eventID, ConsumerGroup: "leases"}
	res := tx.WithContext(ctx).Clauses(onConflict).Create(&row)
	return res.RowsAffected == 1, res.Error
}

// ClaimTable has the clause in front of Table and a map; right: zero rows affected is a duplicate.
func ClaimTable(ctx context.Context, tx *gorm.DB, eventID string) (bool, error) {
	res := tx.WithContext(ctx).Clauses(clause.OnConflict{DoNothing: true}).Table("processed_messages").Create(map[string]any{"message_id": eventID})
	return res.RowsAffected == 1, res.Error
}

// ClaimAll has the clause on batches; right: the count is of the new ones.
func ClaimAll(ctx context.Context, tx *gorm.DB, rows []ClaimedEvent) (int64, error) {
	res := tx.WithContext(ctx).Clauses(clause.OnConflict{DoNothing: true}).CreateInBatches(rows, 100)
	return res.RowsAffected, res.Error
}

// ClaimGeneric gives the clause to the generic API, with a result to read; right: zero rows affected is a duplicate.
func ClaimGeneric(ctx context.Context, tx *gorm.DB, eventID string) (bool, error) {
	res := gorm.WithResult()
	err := gorm.G[ClaimedEvent](tx, clause.OnConflict{DoNothing: true}, res).Create(ctx, &ClaimedEvent{EventID: eventID, ConsumerGroup: "leases"})
	return res.RowsAffected == 1, err
}

// ClaimRaw is a raw INSERT with the clause; right: zero rows affected is a duplicate.
func ClaimRaw(ctx context.Context, tx *gorm.DB, eventID string) (bool, error) {
	res := tx.WithContext(ctx).Exec("INSERT INTO processed_events (event_id) VALUES (?) ON CONFLICT DO NOTHING", eventID)
	return res.RowsAffected == 1, res.Error
}

// ClaimIgnore is MySQL's INSERT IGNORE as a modifier; right: zero rows affected is a duplicate.
func ClaimIgnore(ctx context.Context, tx *gorm.DB, eventID string) (bool, error) {
	res := tx.WithContext(ctx).Clauses(clause.Insert{Modifier: "IGNORE"}).Create(&ClaimedEvent{EventID: eventID, ConsumerGroup: "leases"})
	return res.RowsAffected == 1, res.Error
}

// ClaimTwoClauses has OnConflict beside Returning; right: zero rows affected is a duplicate.
func ClaimTwoClauses(ctx context.Context, tx *gorm.DB, eventID string) (bool, error) {
	row := ClaimedEvent{EventID: eventID, ConsumerGroup: "leases"}
	res := tx.WithContext(ctx).Clauses(clause.Returning{}, clause.OnConflict{DoNothing: true}).Create(&row)
	return res.RowsAffected == 1, res.Error
}

// ClaimSession builds the statement in steps; right: the clause is set before Create runs.
func ClaimSession(ctx context.Context, tx *gorm.DB, eventID string) (bool, error) {
	q := tx.WithContext(ctx)
	q = q.Clauses(clause.OnConflict{DoNothing: true})
	res := q.Create(&ClaimedEvent{EventID: eventID, ConsumerGroup: "leases"})
	if res.Error != nil {
		return false, res.Error
	}
	return res.RowsAffected > 0, nil
}

// Tenant is a business row.
type Tenant struct {
	ID    uint
	Email string
}

// AddTenant takes the translated violation on a business table for "already there"; right: tenants is no dedup table.
func AddTenant(ctx context.Context, db *gorm.DB, email string) (bool, error) {
	err := db.WithContext(ctx).Create(&Tenant{Email: email}).Error
	if errors.Is(err, gorm.ErrDuplicatedKey) {
		return false, nil
	}
	return err == nil, err
}

// TenantByEmail finds or makes a business row; right: tenants is no dedup table.
func TenantByEmail(ctx context.Context, db *gorm.DB, email string) (Tenant, error) {
	var t Tenant
	err := db.WithContext(ctx).Where(Tenant{Email: email}).FirstOrCreate(&t).Error
	return t, err
}
