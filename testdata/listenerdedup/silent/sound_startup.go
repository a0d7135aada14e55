package silent

import (
	"context"
	"database/sql"
	"net/http"

	"github.com/segmentio/kafka-go"
)

// Startup registers the service and counts its starts before the first record; right:
// that is done once a start, not once a delivery.
func Startup(ctx context.Context, r *kafka.Reader, db *sql.DB) error {
	if _, err := db.ExecContext(ctx, `INSERT INTO service_starts (name) VALUES ('startup')`); err != nil {
		return err
	}
	resp, err := http.Post("http://registry/services/startup", "text/plain", nil)
	if err != nil {
		return err
	}
	resp.Body.Close()
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if _, err := db.ExecContext(ctx, `INSERT INTO seen_names (name) VALUES ($1) ON CONFLICT DO NOTHING`, string(m.Value)); err != nil {
			return err
		}
		if err := r.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}
