package directive

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
)

type rainFallen struct {
	EventID     string `json:"eventId"`
	Station     string `json:"station"`
	Millimetres int    `json:"millimetres"`
}

// RainHandler is called by a framework that the linter does not know, and declared as a listener.
type RainHandler struct{ pool *pgxpool.Pool }

// Consume has no record type at all; it adds at every call.
//
//idemlint:listener
func (h *RainHandler) Consume(ctx context.Context, key, value string) error {
	var e rainFallen
	if err := json.Unmarshal([]byte(value), &e); err != nil {
		return err
	}
	_, err := h.pool.Exec(ctx, `UPDATE stations SET rain = rain + $1 WHERE id = $2`, e.Millimetres, e.Station) // want "R-KFK-IDEM-X1"
	return err
}
