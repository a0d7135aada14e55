// Package required reads the headers that every record must have, all at once.
package required

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type required struct {
	EventID uuid.UUID
	Type    string
}

func value(headers []kafka.Header, key string) ([]byte, error) {
	var found bool
	var value []byte
	for i := range headers {
		if headers[i].Key != key {
			continue
		}
		if found {
			return nil, fmt.Errorf("duplicate %s header", key)
		}
		found = true
		value = headers[i].Value
	}
	if !found {
		return nil, fmt.Errorf("missing %s header", key)
	}
	return value, nil
}

func parse(headers []kafka.Header) (required, error) {
	var out required
	id, err := value(headers, "event_id")
	if err != nil {
		return out, err
	}
	out.EventID, err = uuid.ParseBytes(id)
	if err != nil {
		return out, fmt.Errorf("invalid event_id header: %w", err)
	}
	typ, err := value(headers, "event_type")
	if err != nil {
		return out, err
	}
	out.Type = string(typ)
	return out, nil
}

// Yard takes wagons.
type Yard struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

type params struct {
	EventID pgtype.UUID
	Payload []byte
}

func (y *Yard) insert(ctx context.Context, p params) (bool, error) {
	tag, err := y.pool.Exec(ctx, `INSERT INTO inbox_events (event_id, payload) VALUES ($1, $2) ON CONFLICT (event_id) DO NOTHING`, p.EventID, p.Payload) // want "R-KFK-IDEM-1: .*from a header of the record"
	return err == nil && tag.RowsAffected() == 1, err
}

// Run writes each record into the inbox once.
func (y *Yard) Run(ctx context.Context) error {
	for {
		m, err := y.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		h, err := parse(m.Headers)
		if err != nil {
			return err
		}
		if _, err := y.insert(ctx, params{EventID: pgtype.UUID{Bytes: h.EventID, Valid: true}, Payload: m.Value}); err != nil {
			return err
		}
		if err := y.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}
