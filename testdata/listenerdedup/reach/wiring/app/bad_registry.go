package app

import (
	"github.com/jackc/pgx/v5/pgxpool"

	"example.com/cases/listenerdedup/reach/wiring/consumer"
	"example.com/cases/listenerdedup/reach/wiring/service"
)

// MakeRegistry registers two handlers; the one for gifts has no gate, the one for cards is sound: it marks the event.
func MakeRegistry(pool *pgxpool.Pool) *consumer.Registry {
	reg := &consumer.Registry{}
	reg.Register("gifts", service.NewGifts(pool).Handle) // want "R-KFK-IDEM-X1"
	reg.Register("cards", service.NewCards(pool).Handle)
	return reg
}
