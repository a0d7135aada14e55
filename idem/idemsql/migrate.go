package idemsql

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/schema"
)

// Migrate brings the dedup table of cfg to the newest version and returns that version.
// It may be run at every start; of several runners at once one works and the others wait
// for it. On PostgreSQL a partitioned table has no partitions yet and refuses every event:
// Maintainer of package idempgx makes them, or schema.PartitionFunctions.
func Migrate(ctx context.Context, db *sql.DB, d schema.Dialect, cfg idem.Config) (version int, err error) {
	if cfg, err = cfg.WithDefaults(); err != nil {
		return 0, err
	}
	migrations, err := schema.Migrations(d, cfg)
	if err != nil {
		return 0, err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return 0, fmt.Errorf("idemsql: the migration of %s: %w", cfg.Table, err)
	}
	defer func() { _ = conn.Close() }()
	dialect := dialects[d]
	begin, end, abandon := dialect.lock(cfg.Table)
	if err = run(ctx, conn, begin); err == nil {
		if version, err = migrate(ctx, conn, dialect, migrations, schema.VersionTable(cfg.Table)); err == nil {
			err = run(ctx, conn, end)
		} else {
			_ = run(context.WithoutCancel(ctx), conn, abandon)
		}
	}
	if err != nil {
		return 0, fmt.Errorf("idemsql: the migration of %s failed: %w", cfg.Table, err)
	}
	return version, nil
}

func migrate(ctx context.Context, conn *sql.Conn, d dialect, migrations []schema.Migration, versions string) (version int, err error) {
	if err := run(ctx, conn, []string{"CREATE TABLE IF NOT EXISTS " + versions + " (version INTEGER PRIMARY KEY)"}); err != nil {
		return 0, err
	}
	if err := conn.QueryRowContext(ctx, "SELECT coalesce(max(version), 0) FROM "+versions).Scan(&version); err != nil {
		return 0, err
	}
	for _, m := range migrations {
		if m.Version <= version {
			continue
		}
		if err := run(ctx, conn, m.Statements()); err != nil {
			return 0, fmt.Errorf("version %d: %w", m.Version, err)
		}
		if _, err := conn.ExecContext(ctx, "INSERT INTO "+versions+" (version) VALUES ("+d.placeholder()+")", m.Version); err != nil {
			return 0, err
		}
		version = m.Version
	}
	return version, nil
}

func run(ctx context.Context, conn *sql.Conn, statements []string) error {
	for _, s := range statements {
		if _, err := conn.ExecContext(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// pruned is how many rows one DELETE takes: enough to be quick, and few enough that no
// transaction is long.
const pruned = 5000

// Prune deletes from a plain table what was processed longer than cfg.Retention ago, by
// the database's clock and in chunks, and returns the number of rows, also with an error.
// It does nothing when Retention is 0. Run it from a timer, every hour or so.
func Prune(ctx context.Context, db *sql.DB, d schema.Dialect, cfg idem.Config) (rows int64, err error) {
	if cfg, err = cfg.WithDefaults(); err != nil {
		return 0, err
	}
	dialect, ok := dialects[d]
	if !ok || cfg.Schema != idem.Plain {
		return 0, fmt.Errorf("idemsql: Prune of %s: it is for plain tables of PostgreSQL, MySQL and SQLite; the partitions of the others are kept by Maintainer of package idempgx", cfg.Table)
	}
	if cfg.Retention == 0 {
		return 0, nil
	}
	for {
		result, err := db.ExecContext(ctx, dialect.prune(cfg.Table, pruned), int64(cfg.Retention.Seconds()))
		if err != nil {
			return rows, fmt.Errorf("idemsql: Prune of %s: %w", cfg.Table, err)
		}
		n, err := result.RowsAffected()
		rows += n
		if err != nil || n < pruned {
			return rows, err
		}
	}
}
