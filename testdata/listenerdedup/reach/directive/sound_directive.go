package directive

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type hailFallen struct {
	EventID     string `json:"eventId"`
	Station     string `json:"station"`
	Millimetres int    `json:"millimetres"`
}

// HailHandler is declared as a listener as well.
type HailHandler struct{ pool *pgxpool.Pool }

// Consume is sound: the event is marked in the transaction of the update.
//
//idemlint:listener
func (h *HailHandler) Consume(ctx context.Context, key, value string) error {
	var e hailFallen
	if err := json.Unmarshal([]byte(value), &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, h.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'stations') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE stations SET hail = hail + $1 WHERE id = $2`, e.Millimetres, e.Station)
		return err
	})
}
