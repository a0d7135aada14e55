package runtime

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"
	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/consumer"
	"github.com/jackc/pgx/v5"
)

func decodeFare(value []byte) (f Fare, err error) {
	err = json.Unmarshal(value, &f)
	return f, err
}

func fareID(f Fare) string { return f.EventID }

func bookFare(ctx context.Context, tx pgx.Tx, f Fare) error { return f.book(ctx, tx) }

// SoundProcessor works on the store's transaction.
func SoundProcessor(store *idem.Store[pgx.Tx], park func(context.Context, consumer.Failed) error) (*consumer.Processor, error) {
	return consumer.New(consumer.Config[pgx.Tx, Fare]{
		Store: store, Group: "meter", Decode: decodeFare, ID: fareID, Handle: bookFare, DeadLetter: park,
	})
}

// SoundLiterals does with literals and for a whole poll.
func SoundLiterals(store *idem.Store[pgx.Tx], park func(context.Context, consumer.Failed) error) (*consumer.Processor, error) {
	return consumer.New(consumer.Config[pgx.Tx, *Fare]{
		Store: store,
		Group: "meter",
		Decode: func(value []byte) (*Fare, error) {
			f := new(Fare)
			return f, json.Unmarshal(value, f)
		},
		ID: func(f *Fare) string { return f.EventID },
		HandleBatch: func(ctx context.Context, tx pgx.Tx, fresh []*Fare) error {
			for _, f := range fresh {
				if _, err := tx.Exec(ctx, `UPDATE drivers SET cents = cents + $1 WHERE id = $2`, f.Cents, f.Driver); err != nil {
					return err
				}
			}
			return nil
		},
		DeadLetter: park,
	})
}

// MintingProcessor gives each delivery an id of its own.
func MintingProcessor(store *idem.Store[pgx.Tx], park func(context.Context, consumer.Failed) error) (*consumer.Processor, error) {
	return consumer.New(consumer.Config[pgx.Tx, Fare]{
		Store: store, Group: "meter", Decode: decodeFare,
		ID: func(Fare) string { return uuid.Must(uuid.NewV7()).String() },
		Handle: func(ctx context.Context, tx pgx.Tx, f Fare) error {
			_, err := tx.Exec(ctx, `UPDATE drivers SET cents = cents + $1 WHERE id = $2`, f.Cents, f.Driver) // want "R-KFK-IDEM-X1: .*an id that it made itself"
			return err
		},
		DeadLetter: park,
	})
}
