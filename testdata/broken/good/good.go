// Package good compiles, beside packages that do not.
package good

import (
	"context"
	"database/sql"

	"github.com/segmentio/kafka-go"
)

// Count adds one for each delivery.
func Count(ctx context.Context, r *kafka.Reader, db *sql.DB) error {
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if _, err := db.ExecContext(ctx, "UPDATE counters SET n = n + 1 WHERE name = $1", string(m.Value)); err != nil {
			return err
		}
		if err := r.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}
