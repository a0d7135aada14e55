package service

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
)

type orderSent struct {
	EventID  string `json:"eventId"`
	Customer string `json:"customer"`
	Cents    int64  `json:"cents"`
}

// Orders writes at every call and relies on its caller.
type Orders struct{ pool *pgxpool.Pool }

// NewOrders makes the service.
func NewOrders(pool *pgxpool.Pool) *Orders { return &Orders{pool: pool} }

// Handle writes one row.
func (s *Orders) Handle(ctx context.Context, body []byte) error {
	var e orderSent
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := s.pool.Exec(ctx, `INSERT INTO orders (customer, cents) VALUES ($1, $2)`, e.Customer, e.Cents)
	return err
}
