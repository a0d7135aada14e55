package lookalike

import (
	"database/sql"
	"errors"
	"net/http"

	"github.com/lib/pq"
)

// Idempotent keeps the keys of HTTP requests; right: it guards requests, not events, and its conflict is the answer 409.
func Idempotent(db *sql.DB, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := r.Header.Get("Idempotency-Key")
		_, err := db.ExecContext(r.Context(), `INSERT INTO http_idempotency_keys (idem_key, path) VALUES ($1, $2)`, key, r.URL.Path)
		var pqErr *pq.Error
		if errors.As(err, &pqErr) && pqErr.Code == "23505" {
			http.Error(w, "in progress", http.StatusConflict)
			return
		}
		if err != nil {
			http.Error(w, "unavailable", http.StatusServiceUnavailable)
			return
		}
		next.ServeHTTP(w, r)
	})
}
