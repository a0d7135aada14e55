package service

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
)

type crateSent struct {
	EventID  string `json:"eventId"`
	Customer string `json:"customer"`
	Cents    int64  `json:"cents"`
}

// Crates writes at every call.
type Crates struct{ pool *pgxpool.Pool }

// NewCrates makes the service.
func NewCrates(pool *pgxpool.Pool) *Crates { return &Crates{pool: pool} }

// Handle writes one row.
func (s *Crates) Handle(ctx context.Context, body []byte) error {
	var e crateSent
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := s.pool.Exec(ctx, `INSERT INTO crates (customer, cents) VALUES ($1, $2)`, e.Customer, e.Cents)
	return err
}
