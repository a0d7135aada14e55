package silent

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type windowOpened struct {
	EventID string `json:"eventId"`
	Window  string `json:"window"`
}

// OpenWindows is exempted as a whole, with a reason, above the function.
//
//idemlint:ignore R-KFK-IDEM-X1 the window log feeds a heat map, doubled rows are averaged away
func OpenWindows(ctx context.Context, reader *kafka.Reader, pool *pgxpool.Pool) error {
	for {
		m, err := reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		var e windowOpened
		if err := json.Unmarshal(m.Value, &e); err != nil {
			return err
		}
		if _, err := pool.Exec(ctx, `INSERT INTO window_log (pane) VALUES ($1)`, e.Window); err != nil {
			return err
		}
		if _, err := pool.Exec(ctx, `UPDATE windows SET opened = opened + 1 WHERE id = $1`, e.Window); err != nil {
			return err
		}
	}
}
