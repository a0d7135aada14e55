package literals

import (
	"context"
	"database/sql"
)

const (
	events = `CREATE TABLE seen_events (
	event_id       UUID NOT NULL,
	consumer_group TEXT NOT NULL,
	PRIMARY KEY (event_id, consumer_group)
) PARTITION BY RANGE (event_id)`

	messages = "CREATE TABLE handled_messages (id BIGSERIAL PRIMARY KEY, message_id TEXT NOT NULL)"
	unique   = "CREATE UNIQUE INDEX handled_messages_id ON handled_messages (message_id)"

	// journal is no dedup table: it keeps every delivery.
	journal = "CREATE TABLE delivery_log (event_id UUID NOT NULL, received_at TIMESTAMPTZ DEFAULT now(), outcome TEXT)"

	help = "To create table processed_event by hand, see the runbook."
)

func soundSetup(ctx context.Context, db *sql.DB) (string, error) {
	for _, ddl := range []string{events, messages, unique, journal} {
		if _, err := db.ExecContext(ctx, ddl); err != nil {
			return "", err
		}
	}
	return help, nil
}
