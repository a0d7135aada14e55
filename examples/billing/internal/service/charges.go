package service

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/consumer"

	"github.com/idemlint/idemlint/examples/billing/internal/events"
	"github.com/idemlint/idemlint/examples/billing/internal/payments"
)

// newCharges returns what takes the orders that are placed through the store: the adapter
// of the client polls, retries, dead-letters and acknowledges.
func newCharges(store *idem.Store[pgx.Tx], cfg Config, dead *deadLetters) (*consumer.Processor, error) {
	return consumer.New(consumer.Config[pgx.Tx, events.Placed]{
		Store: store,
		Group: cfg.Group,
		Decode: func(value []byte) (e events.Placed, err error) {
			return e, json.Unmarshal(value, &e)
		},
		ID:         func(e events.Placed) string { return e.EventID },
		Handle:     chargeOrder,
		DeadLetter: dead.take,
		Logger:     cfg.Logger,
	})
}

// chargeOrder does the work of an order that was placed, in the transaction that records
// the event: the charge, and the call that the outbox will send.
func chargeOrder(ctx context.Context, tx pgx.Tx, e events.Placed) error {
	_, err := tx.Exec(ctx, `INSERT INTO charge (event_id, order_id, customer, cents) VALUES ($1, $2, $3, $4)`,
		e.EventID, e.OrderID, e.Customer, e.Cents)
	if err != nil {
		return err
	}
	return payments.Charge(ctx, tx, payments.Request{OrderID: e.OrderID, Cents: e.Cents})
}
