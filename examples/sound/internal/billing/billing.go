// Package billing books in the ledger and asks for payments. Everything it does happens in the caller's
// transaction; the request to the payment provider is a row that the worker of package payments posts later.
package billing

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Charge takes the total of a new order.
func Charge(ctx context.Context, tx pgx.Tx, eventID uuid.UUID, orderID string, cents int64) error {
	return book(ctx, tx, "charge", eventID, orderID, cents)
}

// Cancel gives the total of an order back.
func Cancel(ctx context.Context, tx pgx.Tx, eventID uuid.UUID, orderID string, cents int64) error {
	return book(ctx, tx, "cancel", eventID, orderID, -cents)
}

// Amend takes what was added to an order.
func Amend(ctx context.Context, tx pgx.Tx, eventID uuid.UUID, orderID string, extraCents int64) error {
	return book(ctx, tx, "amend", eventID, orderID, extraCents)
}

// Renew takes the next period of a standing order.
func Renew(ctx context.Context, tx pgx.Tx, eventID uuid.UUID, orderID string, cents int64) error {
	return book(ctx, tx, "renew", eventID, orderID, cents)
}

// Refund gives a part of the total back.
func Refund(ctx context.Context, tx pgx.Tx, eventID uuid.UUID, orderID string, cents int64) error {
	return book(ctx, tx, "refund", eventID, orderID, -cents)
}

// book writes the ledger entry and the payment. The payment's key is derived from the event id: whatever brings
// the event here again brings the same key.
func book(ctx context.Context, tx pgx.Tx, kind string, eventID uuid.UUID, orderID string, cents int64) error {
	if _, err := tx.Exec(ctx, "INSERT INTO ledger_entries (order_id, kind, cents) VALUES ($1, $2, $3)", orderID, kind, cents); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "INSERT INTO payment_outbox (payment_key, order_id, cents) VALUES ($1, $2, $3)", kind+"-"+eventID.String(), orderID, cents)
	return err
}
