package tasks

import (
	"context"
	"encoding/json"

	"github.com/jmoiron/sqlx"
)

type taskDone struct {
	EventID string `json:"eventId"`
	Person  string `json:"person"`
	Minutes int    `json:"minutes"`
}

// Tasks books the minutes of finished tasks.
type Tasks struct {
	DB *sqlx.DB
}

// Add books at every call.
func (t *Tasks) Add(ctx context.Context, body []byte) error {
	var e taskDone
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := t.DB.ExecContext(ctx, `UPDATE people SET minutes = minutes + $1 WHERE id = $2`, e.Minutes, e.Person)
	return err
}

// AddOnce books behind the event's mark.
func (t *Tasks) AddOnce(ctx context.Context, body []byte) error {
	var e taskDone
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	tx, err := t.DB.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'tasks') ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE people SET minutes = minutes + $1 WHERE id = $2`, e.Minutes, e.Person); err != nil {
		return err
	}
	return tx.Commit()
}
