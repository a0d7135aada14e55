package pgxcase

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// MarkBatch queues plain INSERTs: one duplicate fails the whole batch.
func MarkBatch(ctx context.Context, tx pgx.Tx, ids []string) (fresh []string, err error) {
	b := &pgx.Batch{}
	for _, id := range ids {
		b.Queue(`INSERT INTO processed_events (event_id) VALUES ($1)`, id) // want "R-KFK-IDEM-2"
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

// MarkCopy copies into the dedup table: COPY knows no clause.
func MarkCopy(ctx context.Context, tx pgx.Tx, ids []string) (int64, error) {
	rows := make([][]any, 0, len(ids))
	for _, id := range ids {
		rows = append(rows, []any{id, "exports"})
	}
	return tx.CopyFrom(ctx, pgx.Identifier{"processed_events"}, []string{"event_id", "consumer_group"}, pgx.CopyFromRows(rows)) // want "R-KFK-IDEM-2"
}
