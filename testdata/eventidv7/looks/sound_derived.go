package looks

import (
	"fmt"
	"time"

	"github.com/google/uuid"
)

// paid's id is derived: the same each time, as it should be.
type paid struct {
	EventID    uuid.UUID `json:"eventId"`
	Type       string    `json:"type"`
	OccurredAt time.Time `json:"occurredAt"`
}

var space = uuid.MustParse("6ba7b810-9dad-11d1-80b4-00c04fd430c8")

func derived(order string, n int) paid {
	return paid{EventID: uuid.NewSHA1(space, fmt.Appendf(nil, "%s/%d", order, n)), Type: "order.paid", OccurredAt: time.Now()}
}

// copied passes an id on.
func copied(of paid) paid {
	return paid{EventID: of.EventID, Type: "order.paid.copy", OccurredAt: of.OccurredAt}
}
