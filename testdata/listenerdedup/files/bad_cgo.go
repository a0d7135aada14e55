package files

// static int one(void) { return 1; }
import "C"

import (
	"context"
	"database/sql"

	"github.com/segmentio/kafka-go"
)

// Cgo stands in a file that uses cgo.
func Cgo(ctx context.Context, r *kafka.Reader, db *sql.DB) error {
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if _, err := db.ExecContext(ctx, "UPDATE counters SET n = n + 1 WHERE name = $1", string(m.Value)); err != nil { // want "R-KFK-IDEM-X1"
			return err
		}
		if err := r.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

// One calls C.
func One() int { return int(C.one()) }
