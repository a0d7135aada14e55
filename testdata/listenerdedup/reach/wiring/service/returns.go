package service

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
)

type returnSent struct {
	EventID  string `json:"eventId"`
	Customer string `json:"customer"`
	Cents    int64  `json:"cents"`
}

// Returns writes at every call.
type Returns struct{ pool *pgxpool.Pool }

// NewReturns makes the service.
func NewReturns(pool *pgxpool.Pool) *Returns { return &Returns{pool: pool} }

// Handle writes one row.
func (s *Returns) Handle(ctx context.Context, body []byte) error {
	var e returnSent
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := s.pool.Exec(ctx, `INSERT INTO returns (customer, cents) VALUES ($1, $2)`, e.Customer, e.Cents)
	return err
}
