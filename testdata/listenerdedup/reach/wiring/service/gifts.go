package service

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
)

type giftSent struct {
	EventID  string `json:"eventId"`
	Customer string `json:"customer"`
	Cents    int64  `json:"cents"`
}

// Gifts writes at every call.
type Gifts struct{ pool *pgxpool.Pool }

// NewGifts makes the service.
func NewGifts(pool *pgxpool.Pool) *Gifts { return &Gifts{pool: pool} }

// Handle writes one row.
func (s *Gifts) Handle(ctx context.Context, body []byte) error {
	var e giftSent
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := s.pool.Exec(ctx, `INSERT INTO gifts (customer, cents) VALUES ($1, $2)`, e.Customer, e.Cents)
	return err
}
