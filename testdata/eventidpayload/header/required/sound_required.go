package required

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
)

type wagon struct {
	EventID uuid.UUID `json:"event_id"`
}

// Arrive takes the id from the payload, and keeps a header in another column.
func (y *Yard) Arrive(ctx context.Context, db *sql.DB) error {
	for {
		m, err := y.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		h, err := parse(m.Headers)
		if err != nil {
			return err
		}
		var w wagon
		if err := json.Unmarshal(m.Value, &w); err != nil {
			return err
		}
		id, typ := pgtype.UUID{Bytes: w.EventID, Valid: true}, pgtype.Text{String: h.Type, Valid: true}
		if _, err := y.pool.Exec(ctx, `INSERT INTO inbox_events (type, event_id, payload) VALUES ($1, $2, $3) ON CONFLICT (event_id) DO NOTHING`, typ, id, m.Value); err != nil {
			return err
		}
		null := sql.NullString{String: w.EventID.String(), Valid: true}
		if _, err := db.ExecContext(ctx, `INSERT INTO seen_events (type, event_id, at) VALUES ($1, $2, $3) ON CONFLICT (event_id) DO NOTHING`, sql.NullString{String: h.Type, Valid: true}, null, sql.NullInt64{Int64: m.Offset, Valid: true}); err != nil {
			return err
		}
		if err := y.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}
