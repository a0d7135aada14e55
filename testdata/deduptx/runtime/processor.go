package runtime

import (
	"context"
	"encoding/json"

	"github.com/idemlint/idemlint/idem/consumer"
	"github.com/jackc/pgx/v5"
)

func decodeSeat(value []byte) (s Seat, err error) {
	err = json.Unmarshal(value, &s)
	return s, err
}

// SoundProcessor works on the store's transaction.
func (w *Office) SoundProcessor(park func(context.Context, consumer.Failed) error) (*consumer.Processor, error) {
	return consumer.New(consumer.Config[pgx.Tx, Seat]{
		Store: w.store, Group: "office", Decode: decodeSeat, ID: func(s Seat) string { return s.EventID },
		Handle: func(ctx context.Context, tx pgx.Tx, s Seat) error {
			_, err := tx.Exec(ctx, `UPDATE shows SET sold = sold + 1 WHERE id = $1`, s.Show)
			return err
		},
		DeadLetter: park,
	})
}

// PoolProcessor works beside it.
func (w *Office) PoolProcessor(park func(context.Context, consumer.Failed) error) (*consumer.Processor, error) {
	return consumer.New(consumer.Config[pgx.Tx, Seat]{
		Store: w.store, Group: "office", Decode: decodeSeat, ID: func(s Seat) string { return s.EventID },
		Handle:     w.sell,
		DeadLetter: park,
	})
}

func (w *Office) sell(ctx context.Context, _ pgx.Tx, s Seat) error {
	_, err := w.pool.Exec(ctx, `UPDATE shows SET sold = sold + 1 WHERE id = $1`, s.Show) // want "R-KFK-IDEM-3: .*in another transaction than its dedup gate"
	return err
}
