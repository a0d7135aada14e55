package directive

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
)

type windBlown struct {
	EventID string `json:"eventId"`
	Station string `json:"station"`
	Knots   int    `json:"knots"`
}

// WindHandler has the same method without the directive; silent: nothing says that it is a listener.
type WindHandler struct{ pool *pgxpool.Pool }

// Consume is just a method.
func (h *WindHandler) Consume(ctx context.Context, key, value string) error {
	var e windBlown
	if err := json.Unmarshal([]byte(value), &e); err != nil {
		return err
	}
	_, err := h.pool.Exec(ctx, `UPDATE stations SET wind = wind + $1 WHERE id = $2`, e.Knots, e.Station)
	return err
}
