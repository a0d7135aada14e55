// Package strict asks for the event id everywhere.
package strict

import (
	"context"
	"database/sql"

	"github.com/segmentio/kafka-go"
)

// Run is held back by the state only: that is not enough here.
func Run(ctx context.Context, r *kafka.Reader, db *sql.DB) error {
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if _, err := db.ExecContext(ctx, `UPDATE orders SET status = 'paid' WHERE id = $1 AND status = 'pending'`, string(m.Value)); err != nil { // want `R-KFK-IDEM-X1`
			return err
		}
		if err := r.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}
