package defaults

import (
	"context"
	"database/sql"
)

const (
	// v7 is PostgreSQL 18's own function.
	v7 = `CREATE TABLE orders_outbox (event_id UUID PRIMARY KEY DEFAULT uuidv7(), payload JSONB)`
	// numbered has a number; the event's id is in the payload.
	numbered = `CREATE TABLE mail_outbox (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, payload JSONB)`
	// bound is filled by the code.
	bound = `CREATE TABLE till_outbox (event_id UUID PRIMARY KEY, payload JSONB, request_id UUID DEFAULT gen_random_uuid())`
	// users are no events.
	users = `CREATE TABLE users (id UUID PRIMARY KEY DEFAULT gen_random_uuid(), name TEXT)`
)

func createSound(ctx context.Context, db *sql.DB) error {
	for _, ddl := range []string{v7, numbered, bound, users} {
		if _, err := db.ExecContext(ctx, ddl); err != nil {
			return err
		}
	}
	return nil
}
