// Package events has events and their constructors.
package events

import (
	"time"

	"github.com/google/uuid"
)

// Envelope is what every event begins with.
type Envelope struct {
	EventID    string    `json:"eventId"`
	Type       string    `json:"type"`
	OccurredAt time.Time `json:"occurredAt"`
}

// ParcelSent is an event.
type ParcelSent struct {
	Envelope
	Parcel string `json:"parcel"`
}

// NewEnvelope takes its id from the caller.
func NewEnvelope(id, typ string) Envelope {
	return Envelope{EventID: id, Type: typ, OccurredAt: time.Now()}
}

// NewParcelSent makes the id itself.
func NewParcelSent(parcel string) ParcelSent {
	return ParcelSent{Envelope: NewEnvelope(uuid.NewString(), "parcel.sent"), Parcel: parcel} // want "R-KFK-IDEM-1: the event id events.Envelope.EventID comes from uuid.NewString"
}

// NewParcelLost is right.
func NewParcelLost(parcel string) ParcelSent {
	return ParcelSent{Envelope: NewEnvelope(uuid.Must(uuid.NewV7()).String(), "parcel.lost"), Parcel: parcel}
}

// SetEventID is a setter.
func (e *Envelope) SetEventID(id string) { e.EventID = id }
