package generic

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type pipeLaid struct {
	EventID string `json:"eventId"`
	Duct    string `json:"duct"`
	Metres  int    `json:"metres"`
}

// Feed decodes any event type and calls the handler it was made with.
type Feed[T any] struct {
	reader *kafka.Reader
	handle func(ctx context.Context, event T) error
}

// NewFeed makes a feed.
func NewFeed[T any](reader *kafka.Reader, handle func(ctx context.Context, event T) error) *Feed[T] {
	return &Feed[T]{reader: reader, handle: handle}
}

// Run calls the handler for each record.
func (f *Feed[T]) Run(ctx context.Context) error {
	for {
		m, err := f.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var event T
		if err := json.Unmarshal(m.Value, &event); err != nil {
			return err
		}
		if err := f.handle(ctx, event); err != nil {
			return err
		}
		if err := f.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

// LayPipes runs a generic feed; sound: its handler marks the event in the transaction of the update.
func LayPipes(ctx context.Context, reader *kafka.Reader, pool *pgxpool.Pool) error {
	return NewFeed(reader, func(ctx context.Context, e pipeLaid) error {
		return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
			tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'ducts') ON CONFLICT DO NOTHING`, e.EventID)
			if err != nil || tag.RowsAffected() == 0 {
				return err
			}
			_, err = tx.Exec(ctx, `UPDATE ducts SET pipes = pipes + $1 WHERE id = $2`, e.Metres, e.Duct)
			return err
		})
	}).Run(ctx)
}
