// Package literals makes dedup tables from string literals.
package literals

import (
	"context"
	"database/sql"
)

// want +2 "has no primary key or unique constraint on event_id"
const noKey = `
CREATE TABLE IF NOT EXISTS processed_event (
	event_id     UUID NOT NULL,
	processed_at TIMESTAMPTZ NOT NULL DEFAULT now()
)`

// guide is what the style guide's own partitioned variant shows.
// want +4 "holds processed_at, which differs at each delivery"
const guide = `CREATE TABLE booking_processed_events (
	event_id     UUID        NOT NULL,
	processed_at TIMESTAMPTZ NOT NULL DEFAULT now(),
	PRIMARY KEY (event_id, processed_at)
) PARTITION BY RANGE (processed_at)`

func setup(ctx context.Context, db *sql.DB) error {
	for _, ddl := range []string{
		noKey, guide,
		"CREATE TABLE inbox (event_id UUID PRIMARY KEY, consumer_group TEXT NOT NULL)", // want "records the consumer group in consumer_group, but its key is event_id alone"
		"CREATE TABLE consumed_messages (id BIGSERIAL PRIMARY KEY, " + // want "has no primary key or unique constraint on message_id"
			"message_id TEXT NOT NULL, topic TEXT)",
	} {
		if _, err := db.ExecContext(ctx, ddl); err != nil {
			return err
		}
	}
	return nil
}
