// Package ledger has the events of the ledger; their ids come from whoever creates them.
package ledger

import (
	"time"

	"github.com/google/uuid"
)

// EntryPosted is an event.
type EntryPosted struct {
	EventID    string    `json:"eventId"`
	EventType  string    `json:"eventType"`
	OccurredAt time.Time `json:"occurredAt"`
	RequestID  string    `json:"requestId"`
	Account    string    `json:"account"`
	Amount     int64     `json:"amount"`
}

// NewEntryPosted takes the id as its first parameter and the request's as its second.
func NewEntryPosted(eventID, requestID, account string, amount int64) *EntryPosted {
	return &EntryPosted{
		EventID:    eventID,
		EventType:  "ledger.entry-posted",
		OccurredAt: time.Now().UTC(),
		RequestID:  requestID,
		Account:    account,
		Amount:     amount,
	}
}

// SetEventID sets the id of the event.
func (e *EntryPosted) SetEventID(id string) { e.EventID = id }

// SetRequestID sets the id of the request.
func (e *EntryPosted) SetRequestID(id string) { e.RequestID = id }

// Envelope is the head of every event that embeds it.
type Envelope struct {
	EventID    uuid.UUID `json:"eventId"`
	EventType  string    `json:"eventType"`
	OccurredAt time.Time `json:"occurredAt"`
}

// Option changes an envelope.
type Option func(*Envelope)

// WithEventID gives the event that id.
func WithEventID(id uuid.UUID) Option { return func(e *Envelope) { e.EventID = id } }

// NewEnvelope makes an envelope; without WithEventID it has version 7.
func NewEnvelope(eventType string, opts ...Option) Envelope {
	e := Envelope{EventID: uuid.Must(uuid.NewV7()), EventType: eventType, OccurredAt: time.Now().UTC()}
	for _, o := range opts {
		o(&e)
	}
	return e
}
