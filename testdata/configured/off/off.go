// Package off switches the rule off.
package off

import (
	"context"
	"database/sql"

	"github.com/segmentio/kafka-go"
)

// Run overwrites a row and is not reported.
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

// Count adds and is not reported either.
func Count(ctx context.Context, r *kafka.Reader, db *sql.DB) error {
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if _, err := db.ExecContext(ctx, `UPDATE customers SET orders = orders + 1 WHERE id = $1`, string(m.Key)); err != nil {
			return err
		}
		if err := r.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}
