// Package retry holds consumers that try a record again until it succeeds.
package retry

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

// Parcel says that a parcel has come in.
type Parcel struct {
	EventID string `json:"event_id"`
	Shelf   string `json:"shelf"`
}

// Depot shelves parcels.
type Depot struct {
	client *kgo.Client
	pool   *pgxpool.Pool
}

// until does work until it succeeds or ctx is done.
func until(ctx context.Context, work func() error) error {
	for {
		if work() == nil {
			return nil
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func parse(record *kgo.Record) (p Parcel, err error) {
	return p, json.Unmarshal(record.Value, &p)
}

const claim = `INSERT INTO processed_event (event_id, consumer_group) VALUES ($1, 'depot') ON CONFLICT (event_id, consumer_group) DO NOTHING`

// shelve puts a parcel on its shelf.
func shelve(ctx context.Context, tx pgx.Tx, p Parcel) error {
	_, err := tx.Exec(ctx, `UPDATE shelf SET parcels = parcels + 1 WHERE id = $1`, p.Shelf)
	return err
}
