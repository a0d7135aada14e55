package service

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
)

type parcelSent struct {
	EventID  string `json:"eventId"`
	Customer string `json:"customer"`
	Cents    int64  `json:"cents"`
}

// Parcels writes at every call and relies on its caller.
type Parcels struct{ pool *pgxpool.Pool }

// NewParcels makes the service.
func NewParcels(pool *pgxpool.Pool) *Parcels { return &Parcels{pool: pool} }

// Handle writes one row.
func (s *Parcels) Handle(ctx context.Context, body []byte) error {
	var e parcelSent
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := s.pool.Exec(ctx, `INSERT INTO parcels (customer, cents) VALUES ($1, $2)`, e.Customer, e.Cents)
	return err
}
