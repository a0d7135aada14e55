// Package dbx is a house's own wrapper around execution; its texts come from the callers.
package dbx

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Affected runs a text and gives the row count.
func Affected(ctx context.Context, tx pgx.Tx, query string, args ...any) (int64, error) {
	tag, err := tx.Exec(ctx, query, args...)
	if err != nil {
		return 0, fmt.Errorf("exec: %w", err)
	}
	return tag.RowsAffected(), nil
}
