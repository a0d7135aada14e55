package sqlforms

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

var tunedText = `INSERT INTO processed_events (event_id) VALUES ($1)`

// UseText sets the text that ClaimTuned runs.
func UseText(text string) { tunedText = text }

// ClaimTuned runs a variable that a setter changes; silent: its text cannot be seen.
func ClaimTuned(ctx context.Context, tx pgx.Tx, id string) (int64, error) {
	tag, err := tx.Exec(ctx, tunedText, id)
	return tag.RowsAffected(), err
}

// ClaimClause has its clause from the caller; silent: which one it is cannot be seen.
func ClaimClause(ctx context.Context, tx pgx.Tx, id, clause string) (int64, error) {
	tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) `+clause, id)
	return tag.RowsAffected(), err
}

// ClaimChosen has a clause that a flag chooses; silent: one way has the right one.
func ClaimChosen(ctx context.Context, tx pgx.Tx, id string, refresh bool) (int64, error) {
	clause := "DO NOTHING"
	if refresh {
		clause = "DO UPDATE SET processed_at = now()"
	}
	tag, err := tx.Exec(ctx, fmt.Sprintf(`INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT (event_id) %s`, clause), id)
	return tag.RowsAffected(), err
}

// TableStore has its table's name from a configuration.
type TableStore struct {
	table string
}

// Config is what a service reads at its start.
type Config struct {
	DedupTable string
}

// NewTableStore takes the table's name from the configuration.
func NewTableStore(cfg Config) *TableStore {
	return &TableStore{table: cfg.DedupTable}
}

// Insert runs a text whose table is a variable; silent: which table it is cannot be seen.
func (s *TableStore) Insert(ctx context.Context, tx pgx.Tx, id string) (int64, error) {
	tag, err := tx.Exec(ctx, "INSERT INTO "+s.table+" (event_id) VALUES ($1)", id)
	return tag.RowsAffected(), err
}
