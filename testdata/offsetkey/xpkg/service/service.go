// Package service knows no Kafka client: its commands carry an id that somebody else made.
package service

import (
	"context"
	"log/slog"

	"example.com/cases/offsetkey/xpkg/gate"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Booking asks for a seat to be booked.
type Booking struct {
	MessageID string
	Seat      string
}

// Seats books seats.
type Seats struct {
	Pool *pgxpool.Pool
}

// Book gates on the command's MessageID, one call further down.
func (s *Seats) Book(ctx context.Context, b Booking) error {
	return pgx.BeginFunc(ctx, s.Pool, func(tx pgx.Tx) error { return s.book(ctx, tx, b) })
}

func (s *Seats) book(ctx context.Context, tx pgx.Tx, b Booking) error {
	first, err := gate.TryMark(ctx, tx, b.MessageID, "seats")
	if err != nil || !first {
		return err
	}
	_, err = tx.Exec(ctx, "UPDATE halls SET taken = taken + 1 WHERE seat = $1", b.Seat)
	return err
}

// Release asks for a seat to be given back; Origin is for people.
type Release struct {
	MessageID string
	Origin    string
	Seat      string
}

// Free gates on MessageID and logs Origin.
func (s *Seats) Free(ctx context.Context, r Release) error {
	return pgx.BeginFunc(ctx, s.Pool, func(tx pgx.Tx) error {
		first, err := gate.TryMark(ctx, tx, r.MessageID, "seats")
		if err != nil {
			return err
		}
		if !first {
			slog.Info("duplicate release", "id", r.MessageID, "origin", r.Origin)
			return nil
		}
		_, err = tx.Exec(ctx, "UPDATE halls SET taken = taken - 1 WHERE seat = $1", r.Seat)
		return err
	})
}
