package service

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// MemoSent is the event.
type MemoSent struct {
	EventID  string `json:"eventId"`
	Customer string `json:"customer"`
	Cents    int64  `json:"cents"`
}

// Memos marks the event before it writes.
type Memos struct{ pool *pgxpool.Pool }

// NewMemos makes the service.
func NewMemos(pool *pgxpool.Pool) *Memos { return &Memos{pool: pool} }

// Handle writes one row.
func (s *Memos) Handle(ctx context.Context, e MemoSent) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'memos') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO memos (customer, cents) VALUES ($1, $2)`, e.Customer, e.Cents)
		return err
	})
}
