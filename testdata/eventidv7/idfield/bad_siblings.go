// Package idfield holds the eventidv7 cases of a field that is only called ID.
package idfield

import (
	"time"

	"github.com/google/uuid"
)

// CartEvent is a domain event by its name and by what it has: a type and a time of occurrence.
type CartEvent struct {
	ID          string    `json:"id"`
	Type        string    `json:"type"`
	AggregateID string    `json:"aggregateId"`
	OccurredAt  time.Time `json:"occurredAt"`
	Payload     []byte    `json:"payload"`
}

// NewCartEvent makes the event; who publishes it is elsewhere.
func NewCartEvent(cart, typ string, payload []byte) CartEvent {
	return CartEvent{
		ID:          uuid.NewString(), // want "R-KFK-IDEM-1"
		Type:        typ,
		AggregateID: cart,
		OccurredAt:  time.Now().UTC(),
		Payload:     payload,
	}
}

// Cart collects its events until the repository stores it.
type Cart struct {
	ID      string
	pending []CartEvent
}

// NewCart makes a cart; its own id may be random.
func NewCart() *Cart { return &Cart{ID: uuid.NewString()} }

// Empty records that the cart was emptied.
func (c *Cart) Empty() {
	ev := CartEvent{Type: "cart.emptied", AggregateID: c.ID, OccurredAt: time.Now()}
	ev.ID = uuid.New().String() // want "R-KFK-IDEM-1"
	c.pending = append(c.pending, ev)
}
