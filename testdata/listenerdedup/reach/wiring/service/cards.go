package service

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type cardSent struct {
	EventID  string `json:"eventId"`
	Customer string `json:"customer"`
	Cents    int64  `json:"cents"`
}

// Cards marks the event before it writes.
type Cards struct{ pool *pgxpool.Pool }

// NewCards makes the service.
func NewCards(pool *pgxpool.Pool) *Cards { return &Cards{pool: pool} }

// Handle writes one row.
func (s *Cards) Handle(ctx context.Context, body []byte) error {
	var e cardSent
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'cards') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO cards (customer, cents) VALUES ($1, $2)`, e.Customer, e.Cents)
		return err
	})
}
