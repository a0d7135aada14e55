// Package runtime holds consumers on the reference runtime.
package runtime

import (
	"context"
	"encoding/json"

	"github.com/idemlint/idemlint/idem"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

// Seat is a ticket's sale.
type Seat struct {
	EventID string `json:"eventId"`
	Show    string `json:"show"`
}

// Office sells seats.
type Office struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
	store  *idem.Store[pgx.Tx]
}

func (w *Office) next(ctx context.Context) (kafka.Message, Seat, error) {
	var s Seat
	m, err := w.reader.FetchMessage(ctx)
	if err == nil {
		err = json.Unmarshal(m.Value, &s)
	}
	return m, s, err
}

// Sound works on the store's transaction.
func (w *Office) Sound(ctx context.Context) error {
	for {
		m, s, err := w.next(ctx)
		if err != nil {
			return err
		}
		if _, err := w.store.Process(ctx, idem.Event{ID: s.EventID, Group: "office"}, func(ctx context.Context, tx pgx.Tx) error {
			_, err := tx.Exec(ctx, `UPDATE shows SET sold = sold + 1 WHERE id = $1`, s.Show)
			return err
		}); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

// Pool works on the pool, within the store's transaction or not.
func (w *Office) Pool(ctx context.Context) error {
	for {
		m, s, err := w.next(ctx)
		if err != nil {
			return err
		}
		if _, err := w.store.Process(ctx, idem.Event{ID: s.EventID, Group: "office"}, func(ctx context.Context, _ pgx.Tx) error {
			_, err := w.pool.Exec(ctx, `UPDATE shows SET sold = sold + 1 WHERE id = $1`, s.Show) // want "R-KFK-IDEM-3: .*in another transaction than its dedup gate"
			return err
		}); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

// Early acknowledges before the store has committed.
func (w *Office) Early(ctx context.Context) error {
	for {
		m, s, err := w.next(ctx)
		if err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil { // want "R-KFK-IDEM-3: .*before the transaction commits"
			return err
		}
		if _, err := w.store.Process(ctx, idem.Event{ID: s.EventID, Group: "office"}, func(ctx context.Context, tx pgx.Tx) error {
			_, err := tx.Exec(ctx, `UPDATE shows SET sold = sold + 1 WHERE id = $1`, s.Show)
			return err
		}); err != nil {
			return err
		}
	}
}

// Marked marks on one transaction and works on another.
func (w *Office) Marked(ctx context.Context) error {
	for {
		m, s, err := w.next(ctx)
		if err != nil {
			return err
		}
		first := false
		if err := pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
			first, err = w.store.TryMarkProcessed(ctx, tx, s.EventID, "office")
			return err
		}); err != nil {
			return err
		}
		if first {
			if err := pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
				_, err := tx.Exec(ctx, `UPDATE shows SET sold = sold + 1 WHERE id = $1`, s.Show) // want "R-KFK-IDEM-3: .*in another transaction than its dedup gate"
				return err
			}); err != nil {
				return err
			}
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

// SoundMark marks and works on one transaction.
func (w *Office) SoundMark(ctx context.Context) error {
	for {
		m, s, err := w.next(ctx)
		if err != nil {
			return err
		}
		if err := pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
			first, err := w.store.TryMarkProcessed(ctx, tx, s.EventID, "office")
			if err != nil || !first {
				return err
			}
			_, err = tx.Exec(ctx, `UPDATE shows SET sold = sold + 1 WHERE id = $1`, s.Show)
			return err
		}); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}
