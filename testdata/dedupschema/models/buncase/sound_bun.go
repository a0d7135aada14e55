package buncase

import (
	"context"

	"github.com/uptrace/bun"
)

// SoundMark is unique by event and consumer.
type SoundMark struct {
	bun.BaseModel `bun:"table:shipping_processed_event"`

	ID       int64  `bun:"id,pk,autoincrement"`
	EventID  string `bun:"event_id,unique:once"`
	Consumer string `bun:"consumer,unique:once"`
}

func soundCreate(ctx context.Context, db *bun.DB) error {
	_, err := db.NewCreateTable().Model((*SoundMark)(nil)).Exec(ctx)
	return err
}

func soundMark(ctx context.Context, tx bun.Tx, id, consumer string) (bool, error) {
	res, err := tx.NewInsert().Model(&SoundMark{EventID: id, Consumer: consumer}).On("CONFLICT DO NOTHING").Exec(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}
