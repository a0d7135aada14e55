package service

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
)

type letterSent struct {
	EventID  string `json:"eventId"`
	Customer string `json:"customer"`
	Cents    int64  `json:"cents"`
}

// Letters writes at every call.
type Letters struct{ pool *pgxpool.Pool }

// NewLetters makes the service.
func NewLetters(pool *pgxpool.Pool) *Letters { return &Letters{pool: pool} }

// Handle writes one row.
func (s *Letters) Handle(ctx context.Context, body []byte) error {
	var e letterSent
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := s.pool.Exec(ctx, `INSERT INTO letters (customer, cents) VALUES ($1, $2)`, e.Customer, e.Cents)
	return err
}
