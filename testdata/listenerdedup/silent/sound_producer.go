package silent

import (
	"database/sql"
	"net/http"

	"github.com/segmentio/kafka-go"
)

// OrderAPI writes and publishes on request; no record comes in, so there is no listener.
type OrderAPI struct {
	db  *sql.DB
	out *kafka.Writer
}

func (a *OrderAPI) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	number := r.FormValue("number")
	if _, err := a.db.ExecContext(r.Context(), `INSERT INTO orders (number) VALUES ($1)`, number); err != nil {
		http.Error(rw, err.Error(), http.StatusInternalServerError)
		return
	}
	if err := a.out.WriteMessages(r.Context(), kafka.Message{Topic: "orders", Value: []byte(number)}); err != nil {
		http.Error(rw, err.Error(), http.StatusInternalServerError)
	}
}
