// Package registry registers its method with a dispatcher of another package.
package registry

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/google/uuid"

	"example.com/cases/listenerdedup/trials/bus"
)

type confirmed struct {
	Show  string `json:"show"`
	Seats []int  `json:"seats"`
}

// Tickets issues tickets.
type Tickets struct {
	db  *sql.DB
	bus *bus.Consumer
}

// New wires it.
func New(db *sql.DB, group sarama.ConsumerGroup) (*Tickets, error) {
	c, err := bus.New(group, []string{"orders"})
	if err != nil {
		return nil, err
	}
	t := &Tickets{db: db, bus: c}
	c.Register("order.confirmed", t.confirmed) // want "R-KFK-IDEM-X1.*INSERT into tickets"
	return t, nil
}

// Start consumes.
func (t *Tickets) Start(ctx context.Context) error { return t.bus.Run(ctx) }

func (t *Tickets) confirmed(ctx context.Context, ev *bus.Event) error {
	var c confirmed
	if err := json.Unmarshal(ev.Data, &c); err != nil {
		return err
	}
	for _, seat := range c.Seats {
		if _, err := t.db.ExecContext(ctx, `INSERT INTO tickets (id, show, seat) VALUES ($1, $2, $3)`, uuid.New(), c.Show, seat); err != nil {
			return err
		}
	}
	return nil
}
