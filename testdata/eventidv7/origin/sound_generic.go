package origin

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/twmb/franz-go/pkg/kgo"
)

// sealed is a generic envelope with version 7.
type sealed[T any] struct {
	EventID    uuid.UUID `json:"eventId"`
	Type       string    `json:"type"`
	OccurredAt time.Time `json:"occurredAt"`
	Data       T         `json:"data"`
}

func seal[T any](typ string, data T) (sealed[T], error) {
	id, err := uuid.NewV7()
	return sealed[T]{EventID: id, Type: typ, OccurredAt: time.Now(), Data: data}, err
}

type ticketBought struct {
	Ticket uuid.UUID
	Price  int64
}

// buyTicket seals a payload whose own id is random.
func buyTicket(ctx context.Context, client *kgo.Client, price int64) error {
	ev, err := seal("ticket.bought", ticketBought{Ticket: uuid.New(), Price: price})
	if err != nil {
		return err
	}
	body, err := json.Marshal(ev)
	if err != nil {
		return err
	}
	return client.ProduceSync(ctx, &kgo.Record{Topic: "tickets", Value: body}).FirstErr()
}

// page is generic and no event.
type page[T any] struct {
	ID    uuid.UUID
	Items []T
}

func newPage[T any](items []T) page[T] { return page[T]{ID: uuid.New(), Items: items} }

func pageOfTickets(t []ticketBought) page[ticketBought] { return newPage(t) }
