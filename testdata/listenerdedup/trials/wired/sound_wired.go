// Package wired wires what package svc has judged: nothing is said twice.
package wired

import (
	"context"
	"database/sql"

	"github.com/segmentio/kafka-go"

	"example.com/cases/listenerdedup/trials/wired/repo"
	"example.com/cases/listenerdedup/trials/wired/svc"
)

// Main runs the service.
func Main(ctx context.Context, db *sql.DB, r *kafka.Reader) error {
	return svc.New(repo.New(db), r).Run(ctx)
}
