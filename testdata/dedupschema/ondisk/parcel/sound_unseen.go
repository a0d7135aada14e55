// Package parcel is sound as far as can be seen: its schema is elsewhere, and the
// SQL beside it is another's.
package parcel

import (
	"context"

	"github.com/jmoiron/sqlx"
)

// Seen records the scan.
func Seen(ctx context.Context, tx *sqlx.Tx, id string) (bool, error) {
	res, err := tx.ExecContext(ctx, `INSERT INTO parcel_processed_messages (message_id) VALUES ($1) ON CONFLICT (message_id) DO NOTHING`, id)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 0, err
}
