// Package billing books in the ledger and asks for payments. Everything it does happens in the caller's
// transaction; the request to the payment provider is a row that the worker of package payments posts later.
package billing

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// Charge takes the total of a new order.
func Charge(ctx context.Context, tx pgx.Tx, orderID string, cents int64) error {
	return book(ctx, tx, "charge", orderID, cents)
}

// Cancel gives the total of an order back.
func Cancel(ctx context.Context, tx pgx.Tx, orderID string, cents int64) error {
	return book(ctx, tx, "cancel", orderID, -cents)
}

// Amend takes what was added to an order.
func Amend(ctx context.Context, tx pgx.Tx, orderID string, extraCents int64) error {
	return book(ctx, tx, "amend", orderID, extraCents)
}

// Renew takes the next period of a standing order.
func Renew(ctx context.Context, tx pgx.Tx, orderID string, cents int64) error {
	return book(ctx, tx, "renew", orderID, cents)
}

// Refund gives a part of the total back.
func Refund(ctx context.Context, tx pgx.Tx, orderID string, cents int64) error {
	return book(ctx, tx, "refund", orderID, -cents)
}

// book writes the ledger entry and the payment. The payment is known by the number of its row: two rows for one
// event are two payments.
func book(ctx context.Context, tx pgx.Tx, kind string, orderID string, cents int64) error {
	if _, err := tx.Exec(ctx, "INSERT INTO ledger_entries (order_id, kind, cents) VALUES ($1, $2, $3)", orderID, kind, cents); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "INSERT INTO payment_outbox (order_id, cents) VALUES ($1, $2)", orderID, cents)
	return err
}
