package service

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type receiptSent struct {
	EventID  string `json:"eventId"`
	Customer string `json:"customer"`
	Cents    int64  `json:"cents"`
}

// Receipts marks the event before it writes.
type Receipts struct{ pool *pgxpool.Pool }

// NewReceipts makes the service.
func NewReceipts(pool *pgxpool.Pool) *Receipts { return &Receipts{pool: pool} }

// Handle writes one row.
func (s *Receipts) Handle(ctx context.Context, body []byte) error {
	var e receiptSent
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'receipts') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO receipts (customer, cents) VALUES ($1, $2)`, e.Customer, e.Cents)
		return err
	})
}
