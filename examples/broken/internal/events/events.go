// Package events has the order events that the billing service listens to.
package events

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// ErrUnreadable marks a record that no later attempt will be able to read either.
var ErrUnreadable = errors.New("unreadable event")

// OrderPlaced asks for the order's total to be charged.
type OrderPlaced struct {
	EventID string `json:"event_id"`
	OrderID string `json:"order_id"`
	Cents   int64  `json:"cents"`
}

// OrderCancelled gives the charged total back.
type OrderCancelled struct {
	EventID string `json:"event_id"`
	OrderID string `json:"order_id"`
	Cents   int64  `json:"cents"`
}

// OrderAmended charges what was added to the order.
type OrderAmended struct {
	EventID    string `json:"event_id"`
	OrderID    string `json:"order_id"`
	ExtraCents int64  `json:"extra_cents"`
}

// OrderRenewed charges the next period of a standing order.
type OrderRenewed struct {
	EventID string `json:"event_id"`
	OrderID string `json:"order_id"`
	Cents   int64  `json:"cents"`
}

// OrderRefunded pays a part of the total back.
type OrderRefunded struct {
	EventID string `json:"event_id"`
	OrderID string `json:"order_id"`
	Cents   int64  `json:"cents"`
}

// PaymentSettled says that the provider took the payment.
type PaymentSettled struct {
	EventID    string    `json:"event_id"`
	Type       string    `json:"type"`
	OccurredAt time.Time `json:"occurred_at"`
	OrderID    string    `json:"order_id"`
	Cents      int64     `json:"cents"`
}

// NewPaymentSettled returns the event, under an id of its own.
func NewPaymentSettled(orderID string, cents int64) PaymentSettled {
	// R-KFK-IDEM-1: a random id lands anywhere in every consumer's index; the customer waits for the database.
	return PaymentSettled{EventID: uuid.NewString(), Type: "payment.settled", OccurredAt: time.Now(), OrderID: orderID, Cents: cents}
}

// Decode reads a record's value into ev.
func Decode(value []byte, ev any) error {
	if err := json.Unmarshal(value, ev); err != nil {
		return fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	return nil
}

// ParseID reads an event id, which has to be a UUID v7.
func ParseID(s string) (uuid.UUID, error) {
	id, err := uuid.Parse(s)
	if err != nil {
		return uuid.Nil, fmt.Errorf("%w: event_id: %w", ErrUnreadable, err)
	}
	if id.Version() != 7 {
		return uuid.Nil, fmt.Errorf("%w: event_id %s is no UUID v7", ErrUnreadable, id)
	}
	return id, nil
}
