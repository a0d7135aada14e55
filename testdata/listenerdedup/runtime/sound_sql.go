package runtime

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/idemlint/idemlint/idem"
	"github.com/segmentio/kafka-go"
)

// Ferry works over database/sql.
type Ferry struct {
	reader *kafka.Reader
	store  *idem.Store[*sql.Tx]
}

// Run books each fare once.
func (w *Ferry) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var f Fare
		if err := json.Unmarshal(m.Value, &f); err != nil {
			return err
		}
		if _, err := w.store.Process(ctx, idem.Event{ID: f.EventID, Group: "ferry"}, func(ctx context.Context, tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, `UPDATE drivers SET cents = cents + $1 WHERE id = $2`, f.Cents, f.Driver)
			return err
		}); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}
