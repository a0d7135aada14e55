// Package orders has the handlers that the wiring packages bind to a runner. What is right or wrong with a
// delivery's name as key shows only where both are known.
package orders

import (
	"context"
	"log/slog"
	"strconv"

	"example.com/cases/offsetkey/xpkg/gate"
	"example.com/cases/offsetkey/xpkg/recid"
	"example.com/cases/offsetkey/xpkg/runner"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// ByName gates on the delivery's name.
type ByName struct {
	Pool *pgxpool.Pool
}

// Handle is bound by wirebad.
func (o *ByName) Handle(ctx context.Context, d runner.Delivery) error {
	return pgx.BeginFunc(ctx, o.Pool, func(tx pgx.Tx) error {
		first, err := gate.TryMark(ctx, tx, d.Name, "orders")
		if err != nil || !first {
			return err
		}
		_, err = tx.Exec(ctx, "INSERT INTO orders (body) VALUES ($1)", d.Body)
		return err
	})
}

// ByEvent gates on the payload's id and logs the delivery's name.
type ByEvent struct {
	Pool *pgxpool.Pool
}

// Handle is bound by wiresound.
func (o *ByEvent) Handle(ctx context.Context, d runner.Delivery) error {
	id, err := recid.EventID(d.Body)
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, o.Pool, func(tx pgx.Tx) error {
		first, err := gate.TryMark(ctx, tx, id, "orders")
		if err != nil {
			return err
		}
		if !first {
			slog.Info("duplicate", "event_id", id, "record", d.Name)
			return nil
		}
		_, err = tx.Exec(ctx, "INSERT INTO orders (body) VALUES ($1)", d.Body)
		return err
	})
}

// PositionBook gates on the parcel's position.
type PositionBook struct {
	Pool *pgxpool.Pool
}

// HandleParcel is bound by wirebad.
func (b *PositionBook) HandleParcel(ctx context.Context, p runner.Parcel) error {
	return pgx.BeginFunc(ctx, b.Pool, func(tx pgx.Tx) error {
		first, err := gate.TryMark(ctx, tx, strconv.FormatInt(p.Position, 10), "parcels")
		if err != nil || !first {
			return err
		}
		_, err = tx.Exec(ctx, "INSERT INTO parcels (body) VALUES ($1)", p.Body)
		return err
	})
}

// EventBook gates on the payload's id and stores the position beside the body.
type EventBook struct {
	Pool *pgxpool.Pool
}

// HandleParcel is bound by wiresound.
func (b *EventBook) HandleParcel(ctx context.Context, p runner.Parcel) error {
	id, err := recid.EventID(p.Body)
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, b.Pool, func(tx pgx.Tx) error {
		first, err := gate.TryMark(ctx, tx, id, "parcels")
		if err != nil || !first {
			return err
		}
		_, err = tx.Exec(ctx, "INSERT INTO parcels (body, source_offset) VALUES ($1, $2)", p.Body, p.Position)
		return err
	})
}
