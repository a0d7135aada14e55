package outbox

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrations returns the files of the schema, NNN_name.sql, to be applied in the order of
// their names, each once, for those who run a migration tool of their own. Others use
// [Migrate].
func Migrations() fs.FS {
	sub, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic(err) // the path is a constant and valid
	}
	return sub
}

// migrateLock is the advisory lock that lets one process migrate at a time: the bytes
// "idemoutb".
const migrateLock = 0x6964656d6f757462

// Migrate brings the table idem_outbox up to date, in the first schema of the search path.
// It may be called at each start, from many processes: what was applied is on record in
// idem_outbox_migration, and then nothing is locked but that record.
func Migrate(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("outbox: migrate: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // does nothing after the commit
	if err := migrate(ctx, tx); err != nil {
		return fmt.Errorf("outbox: migrate: %w", err)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("outbox: migrate: %w", err)
	}
	return nil
}

func migrate(ctx context.Context, tx *sql.Tx) error {
	if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock($1)`, int64(migrateLock)); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS idem_outbox_migration (
		name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`); err != nil {
		return err
	}
	files, err := fs.Glob(Migrations(), "*.sql") // sorted
	if err != nil {
		return err
	}
	for _, name := range files {
		res, err := tx.ExecContext(ctx, `INSERT INTO idem_outbox_migration (name) VALUES ($1) ON CONFLICT (name) DO NOTHING`, name)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil {
			return err
		} else if n == 0 {
			continue
		}
		file, err := fs.ReadFile(Migrations(), name)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, string(file)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}
