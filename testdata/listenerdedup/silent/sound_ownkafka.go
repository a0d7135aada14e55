package silent

import (
	"context"
	"database/sql"

	"example.com/cases/listenerdedup/silent/kafka"
)

// ImportLines loops over the own package's reader; the names are Kafka's, the records are lines of a file.
func ImportLines(ctx context.Context, reader *kafka.Reader, db *sql.DB) error {
	for {
		m, err := reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if _, err := db.ExecContext(ctx, `INSERT INTO import_lines (line) VALUES ($1)`, m.Value); err != nil {
			return err
		}
		if err := reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}
