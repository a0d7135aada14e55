package service

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type stampSent struct {
	EventID  string `json:"eventId"`
	Customer string `json:"customer"`
	Cents    int64  `json:"cents"`
}

// Stamps marks the event before it writes.
type Stamps struct{ pool *pgxpool.Pool }

// NewStamps makes the service.
func NewStamps(pool *pgxpool.Pool) *Stamps { return &Stamps{pool: pool} }

// Handle writes one row.
func (s *Stamps) Handle(ctx context.Context, body []byte) error {
	var e stampSent
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'stamps') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO stamps (customer, cents) VALUES ($1, $2)`, e.Customer, e.Cents)
		return err
	})
}
