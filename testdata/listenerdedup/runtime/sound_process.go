package runtime

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/idemlint/idemlint/idem"
	"github.com/jackc/pgx/v5"
	"github.com/segmentio/kafka-go"
)

// Fare is a ride's end.
type Fare struct {
	EventID string `json:"eventId"`
	Driver  string `json:"driver"`
	Cents   int64  `json:"cents"`
}

// Meter books fares.
type Meter struct {
	reader *kafka.Reader
	store  *idem.Store[pgx.Tx]
	park   func(ctx context.Context, m kafka.Message, why error) error
}

// Run books each fare once.
func (w *Meter) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var f Fare
		if err := json.Unmarshal(m.Value, &f); err != nil {
			return err
		}
		_, err = w.store.Process(ctx, idem.Event{ID: f.EventID, Group: "meter"}, func(ctx context.Context, tx pgx.Tx) error {
			_, err := tx.Exec(ctx, `UPDATE drivers SET cents = cents + $1 WHERE id = $2`, f.Cents, f.Driver)
			return err
		})
		var refused *idem.RefusedError
		if errors.As(err, &refused) {
			err = w.park(ctx, m, err)
		}
		if err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

// RunNamed does the work in a method of its own.
func (w *Meter) RunNamed(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.one(ctx, m); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (w *Meter) one(ctx context.Context, m kafka.Message) error {
	var f Fare
	if err := json.Unmarshal(m.Value, &f); err != nil {
		return err
	}
	event := idem.Event{ID: f.EventID, Group: "meter"}
	outcome, err := w.store.Process(ctx, event, f.book)
	if err != nil {
		return err
	}
	if outcome == idem.Duplicate {
		return nil
	}
	return nil
}

func (f Fare) book(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, `UPDATE drivers SET cents = cents + $1 WHERE id = $2`, f.Cents, f.Driver)
	return err
}
