package origin

import (
	"time"

	"example.com/cases/eventidv7/origin/ids"
	"example.com/cases/eventidv7/origin/ledger"
	"github.com/google/uuid"
)

// cardIssued has a setter for each of its ids; the event's gets version 7.
type cardIssued struct {
	eventID       uuid.UUID
	correlationID uuid.UUID
	occurredAt    time.Time
	kind          string
}

func (c *cardIssued) SetEventID(id uuid.UUID)       { c.eventID = id }
func (c *cardIssued) SetCorrelationID(id uuid.UUID) { c.correlationID = id }

func issueCard() *cardIssued {
	ev := &cardIssued{occurredAt: time.Now(), kind: "card.issued"}
	ev.SetCorrelationID(uuid.New())
	ev.SetEventID(uuid.Must(uuid.NewV7()))
	return ev
}

func postInterest(account string) *ledger.EntryPosted {
	ev := ledger.NewEntryPosted(ids.Sorted(), ids.New(), account, 12)
	ev.SetRequestID(ids.New())
	return ev
}

// shipmentReturned: the builder's default is version 7, and the caller passes one on.
func shipmentReturned(id uuid.UUID, shipment string) shipmentLeft {
	return new(shipmentBuilder).WithEventID(id).WithShipment(shipment).Build()
}

func shipmentLost(shipment string) shipmentLeft {
	return new(shipmentBuilder).WithEventID(uuid.Must(uuid.NewV7())).WithShipment(shipment).Build()
}
