// Package off has directives for a rule that is switched off here.
package off

import (
	"context"
	"database/sql"

	"github.com/segmentio/kafka-go"
)

// Run would be reported; the directive waits for the rule.
func Run(ctx context.Context, r *kafka.Reader, db *sql.DB) error {
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		//idemlint:ignore R-KFK-IDEM-X1 counted anew every night
		if _, err := db.ExecContext(ctx, `UPDATE n SET n = n + 1`); err != nil {
			return err
		}
		// One of its rules is on, the other may be what it waits for.
		//idemlint:ignore R-KFK-IDEM-X1, R-KFK-IDEM-3 counted anew every night
		if _, err := db.ExecContext(ctx, `UPDATE m SET n = n + 1`); err != nil {
			return err
		}
		// Both rules are on.
		// want +1 "suppresses nothing"
		//idemlint:ignore R-KFK-IDEM-X2, R-KFK-IDEM-3 counted anew every night
		if _, err := db.ExecContext(ctx, `UPDATE k SET n = n + 1`); err != nil {
			return err
		}
		if err := r.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}
