package service

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
)

type invoiceSent struct {
	EventID  string `json:"eventId"`
	Customer string `json:"customer"`
	Cents    int64  `json:"cents"`
}

// Invoices writes at every call.
type Invoices struct{ pool *pgxpool.Pool }

// NewInvoices makes the service.
func NewInvoices(pool *pgxpool.Pool) *Invoices { return &Invoices{pool: pool} }

// Handle writes one row.
func (s *Invoices) Handle(ctx context.Context, body []byte) error {
	var e invoiceSent
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := s.pool.Exec(ctx, `INSERT INTO invoices (customer, cents) VALUES ($1, $2)`, e.Customer, e.Cents)
	return err
}
