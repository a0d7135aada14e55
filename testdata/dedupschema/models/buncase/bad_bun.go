// Package buncase makes its tables with bun.
package buncase

import (
	"context"
	"time"

	"github.com/uptrace/bun"
)

// Mark is the dedup row; its key counts up.
type Mark struct {
	bun.BaseModel `bun:"table:billing_processed_event"`

	ID      int64     `bun:"id,pk,autoincrement"`
	EventID string    `bun:"event_id,notnull"`
	At      time.Time `bun:"at,default:current_timestamp"`
}

func create(ctx context.Context, db *bun.DB) error {
	_, err := db.NewCreateTable().Model((*Mark)(nil)).IfNotExists().Exec(ctx)
	return err
}

func mark(ctx context.Context, tx bun.Tx, id string) (bool, error) {
	res, err := tx.NewInsert().Model(&Mark{EventID: id}).On("CONFLICT DO NOTHING").Exec(ctx) // want "by the tags of buncase.Mark, billing_processed_event has no primary key or unique constraint on event_id"
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}
