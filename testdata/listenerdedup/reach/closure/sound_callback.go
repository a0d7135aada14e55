package closure

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/twmb/franz-go/pkg/kgo"
)

type spoolWound struct {
	EventID string `json:"eventId"`
	Spool   string `json:"spool"`
	Metres  int    `json:"metres"`
}

// WindSpools passes a closure to the same loop; sound: this closure leaves on a known event.
func WindSpools(ctx context.Context, client *kgo.Client, db *sql.DB) error {
	return eachRecord(ctx, client, func(r *kgo.Record) error {
		var e spoolWound
		if err := json.Unmarshal(r.Value, &e); err != nil {
			return err
		}
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'spools') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE spools SET metres = metres + $1 WHERE id = $2`, e.Metres, e.Spool); err != nil {
			return err
		}
		return tx.Commit()
	})
}
