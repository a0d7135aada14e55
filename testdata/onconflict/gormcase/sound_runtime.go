package gormcase

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// conflictFor chooses the clause at run time.
func conflictFor(update bool) clause.OnConflict {
	if update {
		return clause.OnConflict{UpdateAll: true}
	}
	return clause.OnConflict{DoNothing: true}
}

// onlyNew adds the clause to a statement.
func onlyNew(tx *gorm.DB) *gorm.DB {
	return tx.Clauses(clause.OnConflict{DoNothing: true})
}

// ClaimWith gets its clause from the caller; silent: which one it is cannot be seen here.
func ClaimWith(ctx context.Context, tx *gorm.DB, eventID string, c clause.Expression) (bool, error) {
	res := tx.WithContext(ctx).Clauses(c).Create(&ClaimedEvent{EventID: eventID, ConsumerGroup: "leases"})
	return res.RowsAffected == 1, res.Error
}

// ClaimEither has a clause that a flag chooses; silent: it may be the right one.
func ClaimEither(ctx context.Context, tx *gorm.DB, eventID string, update bool) (bool, error) {
	res := tx.WithContext(ctx).Clauses(conflictFor(update)).Create(&ClaimedEvent{EventID: eventID, ConsumerGroup: "leases"})
	return res.RowsAffected == 1, res.Error
}

// ClaimHelper gets the clause from a helper around the handle; right: the helper adds DO NOTHING.
func ClaimHelper(ctx context.Context, tx *gorm.DB, eventID string) (bool, error) {
	res := onlyNew(tx.WithContext(ctx)).Create(&ClaimedEvent{EventID: eventID, ConsumerGroup: "leases"})
	return res.RowsAffected == 1, res.Error
}

// ClaimScope gets the clause from a scope; right: the scope adds DO NOTHING.
func ClaimScope(ctx context.Context, tx *gorm.DB, eventID string) (bool, error) {
	res := tx.WithContext(ctx).Scopes(onlyNew).Create(&ClaimedEvent{EventID: eventID, ConsumerGroup: "leases"})
	return res.RowsAffected == 1, res.Error
}
