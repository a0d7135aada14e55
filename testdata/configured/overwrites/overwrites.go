// Package overwrites lets a replay put a value again.
package overwrites

import (
	"context"
	"database/sql"

	"github.com/segmentio/kafka-go"
)

// Run overwrites a row: accepted here.
func Run(ctx context.Context, r *kafka.Reader, db *sql.DB) error {
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if _, err := db.ExecContext(ctx, `UPDATE customers SET name = $2 WHERE id = $1`, string(m.Key), string(m.Value)); err != nil {
			return err
		}
		if err := r.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

// Count adds, which is no overwrite.
func Count(ctx context.Context, r *kafka.Reader, db *sql.DB) error {
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if _, err := db.ExecContext(ctx, `UPDATE customers SET orders = orders + 1 WHERE id = $1`, string(m.Key)); err != nil { // want `R-KFK-IDEM-X1`
			return err
		}
		if err := r.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}
