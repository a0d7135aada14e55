// Package runtime holds consumers on the reference runtime.
package runtime

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"
	"github.com/idemlint/idemlint/idem"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

// Tram does a part of its work beside the store.
type Tram struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
	store  *idem.Store[pgx.Tx]
}

// Outside does the work whatever the outcome is.
func (w *Tram) Outside(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var f Fare
		if err := json.Unmarshal(m.Value, &f); err != nil {
			return err
		}
		if _, err := w.store.Process(ctx, idem.Event{ID: f.EventID, Group: "tram"}, func(context.Context, pgx.Tx) error { return nil }); err != nil {
			return err
		}
		if _, err := w.pool.Exec(ctx, `UPDATE drivers SET cents = cents + $1 WHERE id = $2`, f.Cents, f.Driver); err != nil { // want "R-KFK-IDEM-X1: .*whatever the dedup gate answers"
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

// Ignored asks, and does not listen.
func (w *Tram) Ignored(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var f Fare
		if err := json.Unmarshal(m.Value, &f); err != nil {
			return err
		}
		err = pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
			if _, err := w.store.TryMarkProcessed(ctx, tx, f.EventID, "tram"); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, `UPDATE drivers SET cents = cents + $1 WHERE id = $2`, f.Cents, f.Driver) // want "R-KFK-IDEM-X1: .*whatever the dedup gate answers"
			return err
		})
		if err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

// Minted gives each delivery an id of its own.
func (w *Tram) Minted(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var f Fare
		if err := json.Unmarshal(m.Value, &f); err != nil {
			return err
		}
		if _, err := w.store.Process(ctx, idem.Event{ID: uuid.Must(uuid.NewV7()).String(), Group: "tram"}, func(ctx context.Context, tx pgx.Tx) error {
			_, err := tx.Exec(ctx, `UPDATE drivers SET cents = cents + $1 WHERE id = $2`, f.Cents, f.Driver) // want "R-KFK-IDEM-X1: .*an id that it made itself"
			return err
		}); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}
