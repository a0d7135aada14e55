package embedded

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"example.com/cases/listenerdedup/reach/embedded/source"
)

type moonMapped struct {
	EventID string `json:"eventId"`
	Chart   string `json:"chart"`
	Points  int    `json:"points"`
}

// MapMoons gets bodies from a wrapper of another package; sound: each event is marked before its points are added.
func MapMoons(ctx context.Context, brokers []string, pool *pgxpool.Pool) error {
	src := source.Open(brokers, "moons", "charts")
	for {
		d, err := src.Next(ctx)
		if err != nil {
			return err
		}
		var e moonMapped
		if err := json.Unmarshal(d.Body, &e); err != nil {
			return err
		}
		err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
			tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'charts') ON CONFLICT DO NOTHING`, e.EventID)
			if err != nil || tag.RowsAffected() == 0 {
				return err
			}
			_, err = tx.Exec(ctx, `UPDATE charts SET points = points + $1 WHERE id = $2`, e.Points, e.Chart)
			return err
		})
		if err != nil {
			return err
		}
		if err := d.Ack(ctx); err != nil {
			return err
		}
	}
}
