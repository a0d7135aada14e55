package origin

import (
	"time"

	"example.com/cases/eventidv7/origin/ledger"
	"github.com/google/uuid"
)

// cardBlocked is filled by setters.
type cardBlocked struct {
	eventID    string
	eventType  string
	occurredAt time.Time
	Card       string
}

func (c *cardBlocked) SetEventID(id string)      { c.eventID = id }
func (c *cardBlocked) SetEventType(t string)     { c.eventType = t }
func (c *cardBlocked) SetOccurredAt(t time.Time) { c.occurredAt = t }

func blockCard(card string) *cardBlocked {
	ev := &cardBlocked{Card: card}
	ev.SetEventID(uuid.NewString()) // want "R-KFK-IDEM-1"
	ev.SetEventType("card.blocked")
	ev.SetOccurredAt(time.Now())
	return ev
}

// postCorrection sets the id of another package's event.
func postCorrection(account string) *ledger.EntryPosted {
	var ev ledger.EntryPosted
	ev.Account = account
	ev.SetRequestID(uuid.NewString())
	ev.SetEventID(uuid.New().String()) // want "R-KFK-IDEM-1"
	return &ev
}

// shipmentBuilder builds with chained calls.
type shipmentBuilder struct{ ev shipmentLeft }

type shipmentLeft struct {
	EventID  uuid.UUID
	Type     string
	Time     time.Time
	Shipment string
}

func (b *shipmentBuilder) WithEventID(id uuid.UUID) *shipmentBuilder {
	b.ev.EventID = id
	return b
}

func (b *shipmentBuilder) WithShipment(s string) *shipmentBuilder {
	b.ev.Shipment = s
	return b
}

func (b *shipmentBuilder) Build() shipmentLeft { return b.ev }

func leave(shipment string) shipmentLeft {
	return new(shipmentBuilder).
		WithShipment(shipment).
		WithEventID(uuid.New()). // want "R-KFK-IDEM-1"
		Build()
}
