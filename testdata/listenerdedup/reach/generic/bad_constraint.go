package generic

import (
	"context"
	"encoding/json"
	"log"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type roadLaid struct {
	EventID string `json:"eventId"`
	Line    string `json:"line"`
	Metres  int    `json:"metres"`
}

// Named is an event that knows its id.
type Named interface {
	Name() string
}

func (e roadLaid) Name() string { return e.EventID }

// LogFeed is generic over named events too, but does no more with the name than log it.
type LogFeed[T Named] struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
	handle func(ctx context.Context, tx pgx.Tx, event T) error
}

// Run calls the handler for each event.
func (f *LogFeed[T]) Run(ctx context.Context) error {
	for {
		m, err := f.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var event T
		if err := json.Unmarshal(m.Value, &event); err != nil {
			return err
		}
		log.Printf("event %s", event.Name())
		err = pgx.BeginFunc(ctx, f.pool, func(tx pgx.Tx) error {
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

// LayRoads runs it with a handler that has no gate either.
func LayRoads(ctx context.Context, reader *kafka.Reader, pool *pgxpool.Pool) error {
	f := &LogFeed[roadLaid]{reader: reader, pool: pool, handle: func(ctx context.Context, tx pgx.Tx, e roadLaid) error {
		_, err := tx.Exec(ctx, `UPDATE roads SET metres = metres + $1 WHERE id = $2`, e.Metres, e.Line) // want "R-KFK-IDEM-X1"
		return err
	}}
	return f.Run(ctx)
}
