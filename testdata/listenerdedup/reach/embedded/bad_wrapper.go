package embedded

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"

	"example.com/cases/listenerdedup/reach/embedded/source"
)

type starMapped struct {
	EventID string `json:"eventId"`
	Chart   string `json:"chart"`
	Points  int    `json:"points"`
}

// MapStars gets bodies from a wrapper of another package; the points are added at every delivery.
func MapStars(ctx context.Context, brokers []string, pool *pgxpool.Pool) error {
	src := source.Open(brokers, "stars", "charts")
	for {
		d, err := src.Next(ctx)
		if err != nil {
			return err
		}
		var e starMapped
		if err := json.Unmarshal(d.Body, &e); err != nil {
			return err
		}
		if _, err := pool.Exec(ctx, `UPDATE charts SET points = points + $1 WHERE id = $2`, e.Points, e.Chart); err != nil { // want "R-KFK-IDEM-X1"
			return err
		}
		if err := d.Ack(ctx); err != nil {
			return err
		}
	}
}
