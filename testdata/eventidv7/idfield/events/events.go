// Package events has types that are named with the package's name in mind.
package events

import "github.com/google/uuid"

// Placed is an event: events.Placed.
type Placed struct {
	EventID string `json:"event_id"`
	Order   string `json:"order"`
}

// Reply answers who creates something that is called an event.
type Reply struct {
	EventID string `json:"event_id"`
}

// Opened is a concert that is on sale.
type Opened struct {
	EventID string `json:"event_id"`
	Venue   string `json:"venue"`
}

// NewPlaced makes the event.
func NewPlaced(order string) (Placed, error) {
	id, err := uuid.NewRandom() // want "R-KFK-IDEM-1: the event id events.Placed.EventID comes from uuid.NewRandom"
	if err != nil {
		return Placed{}, err
	}
	return Placed{EventID: id.String(), Order: order}, nil
}

// Create is no event.
func Create() Reply { return Reply{EventID: uuid.NewString()} }

// Open neither.
func Open(venue string) Opened { return Opened{EventID: uuid.NewString(), Venue: venue} }
