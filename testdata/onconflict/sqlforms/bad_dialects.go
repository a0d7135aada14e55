package sqlforms

import (
	"context"
	"database/sql"
)

// MarkMergeBoth is MERGE with an UPDATE for the matched row: one row both times.
func MarkMergeBoth(ctx context.Context, tx *sql.Tx, id string) (int64, error) {
	const q = `MERGE INTO processed_events t
		USING (SELECT @p1 AS event_id) s ON t.event_id = s.event_id
		WHEN MATCHED THEN UPDATE SET processed_at = SYSUTCDATETIME()
		WHEN NOT MATCHED THEN INSERT (event_id) VALUES (s.event_id);`
	res, err := tx.ExecContext(ctx, q, id) // want "R-KFK-IDEM-2"
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// MarkOrReplace is SQLite's INSERT OR REPLACE: one row both times.
func MarkOrReplace(ctx context.Context, tx *sql.Tx, id string) (int64, error) {
	res, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO processed_events (event_id) VALUES (?)`, id) // want "R-KFK-IDEM-2"
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}
