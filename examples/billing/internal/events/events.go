// Package events has the events that the shop publishes and the billing service consumes.
package events

import (
	"fmt"

	"github.com/idemlint/idemlint/idem/eventid"
)

// Placed says that a customer has placed an order, which is to be charged.
type Placed struct {
	// EventID names the event: a UUID of version 7, made once by the producer. It is in
	// the payload, which every replay and mirror keeps, and not in a header.
	EventID  string `json:"event_id"`
	OrderID  string `json:"order_id"`
	Customer string `json:"customer"`
	Cents    int64  `json:"cents"`
}

// Cancelled says that an order was cancelled, and its charge is to be refunded.
type Cancelled struct {
	EventID string `json:"event_id"`
	OrderID string `json:"order_id"`
	Cents   int64  `json:"cents"`
}

// NewPlaced returns the event of a new order.
func NewPlaced(orderID, customer string, cents int64) (Placed, error) {
	id, err := eventid.New()
	if err != nil {
		return Placed{}, fmt.Errorf("events: make an event id: %w", err)
	}
	return Placed{EventID: id.String(), OrderID: orderID, Customer: customer, Cents: cents}, nil
}

// NewCancelled returns the event of an order's cancellation.
func NewCancelled(orderID string, cents int64) (Cancelled, error) {
	id, err := eventid.New()
	if err != nil {
		return Cancelled{}, fmt.Errorf("events: make an event id: %w", err)
	}
	return Cancelled{EventID: id.String(), OrderID: orderID, Cents: cents}, nil
}
