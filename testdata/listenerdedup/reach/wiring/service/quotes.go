package service

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

// QuoteSent is the event.
type QuoteSent struct {
	EventID  string `json:"eventId"`
	Customer string `json:"customer"`
	Cents    int64  `json:"cents"`
}

// Quotes writes at every call.
type Quotes struct{ pool *pgxpool.Pool }

// NewQuotes makes the service.
func NewQuotes(pool *pgxpool.Pool) *Quotes { return &Quotes{pool: pool} }

// Handle writes one row.
func (s *Quotes) Handle(ctx context.Context, e QuoteSent) error {
	_, err := s.pool.Exec(ctx, `INSERT INTO quotes (customer, cents) VALUES ($1, $2)`, e.Customer, e.Cents)
	return err
}
