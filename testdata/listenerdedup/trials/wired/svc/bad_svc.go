// Package svc consumes, and knows what is behind its interface.
package svc

import (
	"context"
	"database/sql"

	"github.com/segmentio/kafka-go"

	"example.com/cases/listenerdedup/trials/wired/repo"
)

// Store is what the service needs.
type Store interface {
	Add(ctx context.Context, body []byte) error
}

// Service consumes.
type Service struct {
	store  Store
	reader *kafka.Reader
}

// Default is the service on the database.
func Default(db *sql.DB, r *kafka.Reader) *Service { return New(repo.New(db), r) }

// New is the service on any store.
func New(s Store, r *kafka.Reader) *Service { return &Service{s, r} }

// Run consumes.
func (s *Service) Run(ctx context.Context) error {
	for {
		m, err := s.reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		if err := s.store.Add(ctx, m.Value); err != nil { // want "R-KFK-IDEM-X1.*INSERT into parcels"
			return err
		}
	}
}
