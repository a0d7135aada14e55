// Package nullable binds its keys in wrappers for what may be NULL.
package nullable

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

// Gate counts cars.
type Gate struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

type car struct {
	EventID string `json:"eventId"`
}

// ByOffset has the offset for a key.
func (g *Gate) ByOffset(ctx context.Context) error {
	for {
		m, err := g.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		key := pgtype.Text{String: fmt.Sprintf("%s-%d-%d", m.Topic, m.Partition, m.Offset), Valid: true}
		if _, err := g.pool.Exec(ctx, `INSERT INTO processed_event (note, event_id) VALUES ($1, $2) ON CONFLICT (event_id) DO NOTHING`, pgtype.Text{String: "car", Valid: true}, key); err != nil { // want "R-KFK-IDEM-X2: "
			return err
		}
		if err := g.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

// ByEvent keeps the offset in another column.
func (g *Gate) ByEvent(ctx context.Context) error {
	for {
		m, err := g.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var c car
		if err := json.Unmarshal(m.Value, &c); err != nil {
			return err
		}
		if _, err := g.pool.Exec(ctx, `INSERT INTO processed_event (at, event_id) VALUES ($1, $2) ON CONFLICT (event_id) DO NOTHING`, pgtype.Int8{Int64: m.Offset, Valid: true}, pgtype.Text{String: c.EventID, Valid: true}); err != nil {
			return err
		}
		if err := g.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}
