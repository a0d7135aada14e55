package lookalike

import (
	"context"
	"database/sql"
)

// seedStatements are the statements of one migration: the table and its first row.
var seedStatements = []string{
	`CREATE TABLE processed_events (event_id uuid PRIMARY KEY, processed_at timestamptz NOT NULL DEFAULT now())`,
	`INSERT INTO processed_events (event_id) VALUES ('00000000-0000-7000-8000-000000000000')`,
}

// Up0004 runs the statements of a migration; right: a seed runs once, under the migration's own version, and no event reaches it.
func Up0004(ctx context.Context, tx *sql.Tx) error {
	for _, s := range seedStatements {
		if _, err := tx.ExecContext(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// Up0009 fills the new dedup table from the one before; right: it is no gate, no event's id is given to it.
func Up0009(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id, processed_at) SELECT id, seen_at FROM legacy_seen`)
	return err
}

// Schema0001 is a whole migration in one text, seed included; right: the seed is no gate.
const Schema0001 = `
CREATE TABLE inbox_events (event_id uuid PRIMARY KEY, consumer text NOT NULL);
INSERT INTO inbox_events (event_id, consumer) VALUES ('00000000-0000-7000-8000-000000000001', 'bootstrap');
`

// Up0001 runs it.
func Up0001(ctx context.Context, db *sql.DB) error {
	_, err := db.ExecContext(ctx, Schema0001)
	return err
}
