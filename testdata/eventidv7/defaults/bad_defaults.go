// Package defaults lets the database make event ids up.
package defaults

import (
	"context"
	"database/sql"
)

// want +2 "the event id event_outbox.event_id defaults to gen_random_uuid"
const outbox = `CREATE TABLE event_outbox (
	event_id   UUID PRIMARY KEY DEFAULT gen_random_uuid(),
	payload    JSONB NOT NULL,
	created_at TIMESTAMPTZ NOT NULL DEFAULT now()
)`

// want +2 "the event id outbox.id defaults to uuid_generate_v4"
const plain = `CREATE TABLE IF NOT EXISTS public.outbox (
	id UUID DEFAULT uuid_generate_v4() PRIMARY KEY,
	topic TEXT, payload BYTEA
)`

func create(ctx context.Context, db *sql.DB) error {
	for _, ddl := range []string{outbox, plain} {
		if _, err := db.ExecContext(ctx, ddl); err != nil {
			return err
		}
	}
	return nil
}
