// Package repo stores parcels.
package repo

import (
	"context"
	"database/sql"
)

// Parcels is the table.
type Parcels struct{ db *sql.DB }

// New returns it.
func New(db *sql.DB) *Parcels { return &Parcels{db} }

// Add adds a parcel.
func (p *Parcels) Add(ctx context.Context, body []byte) error {
	_, err := p.db.ExecContext(ctx, `INSERT INTO parcels (body) VALUES ($1)`, body)
	return err
}
