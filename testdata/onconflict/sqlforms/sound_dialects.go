package sqlforms

import (
	"context"
	"database/sql"
)

// ClaimMerge is MERGE … WHEN NOT MATCHED; right: a duplicate is matched and changes no row.
func ClaimMerge(ctx context.Context, tx *sql.Tx, id string) (int64, error) {
	const q = `MERGE INTO processed_events t
		USING (SELECT @p1 AS event_id) s ON t.event_id = s.event_id
		WHEN NOT MATCHED THEN INSERT (event_id) VALUES (s.event_id);`
	res, err := tx.ExecContext(ctx, q, id)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// ClaimOrIgnore is SQLite's INSERT OR IGNORE; right: a duplicate changes no row.
func ClaimOrIgnore(ctx context.Context, tx *sql.Tx, id string) (int64, error) {
	res, err := tx.ExecContext(ctx, `INSERT OR IGNORE INTO processed_events (event_id) VALUES (?)`, id)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}
