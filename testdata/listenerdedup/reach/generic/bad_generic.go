package generic

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type cableLaid struct {
	EventID string `json:"eventId"`
	Duct    string `json:"duct"`
	Metres  int    `json:"metres"`
}

// Pump decodes any event type and calls the handler it was made with.
type Pump[T any] struct {
	reader *kafka.Reader
	handle func(ctx context.Context, event T) error
}

// NewPump makes a pump.
func NewPump[T any](reader *kafka.Reader, handle func(ctx context.Context, event T) error) *Pump[T] {
	return &Pump[T]{reader: reader, handle: handle}
}

// Run calls the handler for each record.
func (p *Pump[T]) Run(ctx context.Context) error {
	for {
		m, err := p.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var event T
		if err := json.Unmarshal(m.Value, &event); err != nil {
			return err
		}
		if err := p.handle(ctx, event); err != nil {
			return err
		}
		if err := p.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

// LayCables runs a generic pump whose handler adds at every delivery.
func LayCables(ctx context.Context, reader *kafka.Reader, pool *pgxpool.Pool) error {
	return NewPump(reader, func(ctx context.Context, e cableLaid) error {
		_, err := pool.Exec(ctx, `UPDATE ducts SET metres = metres + $1 WHERE id = $2`, e.Metres, e.Duct) // want "R-KFK-IDEM-X1"
		return err
	}).Run(ctx)
}
