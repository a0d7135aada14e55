package pgxcase

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// ClaimBatch queues INSERTs with the clause; right: each result says first or second.
func ClaimBatch(ctx context.Context, tx pgx.Tx, ids []string) (fresh []string, err error) {
	b := &pgx.Batch{}
	for _, id := range ids {
		b.Queue(`INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, id)
	}
	br := tx.SendBatch(ctx, b)
	defer br.Close()
	for _, id := range ids {
		tag, err := br.Exec()
		if err != nil {
			return nil, err
		}
		if tag.RowsAffected() == 1 {
			fresh = append(fresh, id)
		}
	}
	return fresh, nil
}

// ClaimCopy copies into a temporary table and inserts from there; right: the INSERT into the dedup table has the clause.
func ClaimCopy(ctx context.Context, tx pgx.Tx, ids []string) (int64, error) {
	if _, err := tx.Exec(ctx, `CREATE TEMP TABLE incoming (event_id text) ON COMMIT DROP`); err != nil {
		return 0, err
	}
	rows := make([][]any, 0, len(ids))
	for _, id := range ids {
		rows = append(rows, []any{id})
	}
	if _, err := tx.CopyFrom(ctx, pgx.Identifier{"incoming"}, []string{"event_id"}, pgx.CopyFromRows(rows)); err != nil {
		return 0, err
	}
	tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id) SELECT event_id FROM incoming ORDER BY event_id ON CONFLICT DO NOTHING`)
	return tag.RowsAffected(), err
}

// StoreReadings copies into a business table; right: readings is no dedup table.
func StoreReadings(ctx context.Context, tx pgx.Tx, rows [][]any) error {
	_, err := tx.CopyFrom(ctx, pgx.Identifier{"readings"}, []string{"meter_id", "kwh"}, pgx.CopyFromRows(rows))
	return err
}
