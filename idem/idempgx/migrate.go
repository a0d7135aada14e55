package idempgx

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/schema"
)

// Migrate brings the dedup table of cfg to the newest version, in one transaction, and
// returns that version. It may be run at every start: of several runners at once one
// works and the others wait for it. A partitioned table has no partitions yet and refuses
// every event: run [Maintainer.Maintain] next.
func Migrate(ctx context.Context, pool *pgxpool.Pool, cfg idem.Config) (version int, err error) {
	cfg, err = cfg.WithDefaults()
	if err != nil {
		return 0, err
	}
	migrations, err := schema.Migrations(schema.Postgres, cfg)
	if err != nil {
		return 0, err
	}
	err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", "idem migrate "+cfg.Table); err != nil {
			return err
		}
		versions := schema.VersionTable(cfg.Table)
		if _, err := tx.Exec(ctx, "CREATE TABLE IF NOT EXISTS "+versions+" (version int PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())"); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, "SELECT coalesce(max(version), 0) FROM "+versions).Scan(&version); err != nil {
			return err
		}
		for _, m := range migrations {
			if m.Version <= version {
				continue
			}
			for _, statement := range m.Statements() {
				if _, err := tx.Exec(ctx, statement); err != nil {
					return fmt.Errorf("version %d: %w", m.Version, err)
				}
			}
			if _, err := tx.Exec(ctx, "INSERT INTO "+versions+" (version) VALUES ($1)", m.Version); err != nil {
				return err
			}
			version = m.Version
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("idempgx: the migration of %s failed: %w", cfg.Table, err)
	}
	return version, nil
}
