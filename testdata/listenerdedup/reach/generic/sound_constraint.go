package generic

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type railLaid struct {
	EventID string `json:"eventId"`
	Line    string `json:"line"`
	Metres  int    `json:"metres"`
}

// Identified is an event that knows its id.
type Identified interface {
	ID() string
}

func (e railLaid) ID() string { return e.EventID }

// OnceFeed is generic over identified events; sound: it marks the event's ID in the transaction that it gives to the handler.
type OnceFeed[T Identified] struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
	handle func(ctx context.Context, tx pgx.Tx, event T) error
}

// Run calls the handler for each event that is new.
func (f *OnceFeed[T]) Run(ctx context.Context) error {
	for {
		m, err := f.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var event T
		if err := json.Unmarshal(m.Value, &event); err != nil {
			return err
		}
		err = pgx.BeginFunc(ctx, f.pool, func(tx pgx.Tx) error {
			tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'rails') ON CONFLICT DO NOTHING`, event.ID())
			if err != nil || tag.RowsAffected() == 0 {
				return err
			}
			return f.handle(ctx, tx, event)
		})
		if err != nil {
			return err
		}
		if err := f.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

// LayRails runs it with a handler that has no gate of its own and needs none.
func LayRails(ctx context.Context, reader *kafka.Reader, pool *pgxpool.Pool) error {
	f := &OnceFeed[railLaid]{reader: reader, pool: pool, handle: func(ctx context.Context, tx pgx.Tx, e railLaid) error {
		_, err := tx.Exec(ctx, `UPDATE lines SET metres = metres + $1 WHERE id = $2`, e.Metres, e.Line)
		return err
	}}
	return f.Run(ctx)
}
