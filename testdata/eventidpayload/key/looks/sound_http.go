package looks

import (
	"net/http"

	"github.com/jackc/pgx/v5"
)

// webhook takes the id of a request's header, which no mirror of Kafka loses.
func (h *harbour) webhook(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	err := pgx.BeginFunc(ctx, h.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO inbox (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, r.Header.Get("X-Event-Id"))
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO hooks (at) VALUES (now())`)
		return err
	})
	if err != nil {
		http.Error(w, "try again", http.StatusServiceUnavailable)
	}
}
