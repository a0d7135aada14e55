package origin

import (
	"time"

	"example.com/cases/eventidv7/origin/ids"
	"example.com/cases/eventidv7/origin/ledger"
	"github.com/google/uuid"
)

type refundAsked struct {
	EventID   string
	EventType string
	EventTime time.Time
	Order     string
}

// newRefundAsked takes the id first.
func newRefundAsked(id, order string) refundAsked {
	return refundAsked{EventID: id, EventType: "refund.asked", EventTime: time.Now(), Order: order}
}

func askRefund(order string) refundAsked {
	return newRefundAsked(uuid.NewString(), order) // want "R-KFK-IDEM-1"
}

// withdrawRefund goes through a second constructor.
func withdrawRefund(order string) *refundAsked {
	return refundWithType(uuid.New(), "refund.withdrawn", order) // want "R-KFK-IDEM-1"
}

func refundWithType(id uuid.UUID, typ, order string) *refundAsked {
	ev := newRefundAsked(id.String(), order)
	ev.EventType = typ
	return &ev
}

// postFee calls another package's constructor.
func postFee(account string) *ledger.EntryPosted {
	return ledger.NewEntryPosted(uuid.NewString(), uuid.NewString(), account, -3) // want "R-KFK-IDEM-1"
}

// postBonus gets the id of one package and gives it to another.
func postBonus(account string) *ledger.EntryPosted {
	return ledger.NewEntryPosted(ids.New(), ids.Sorted(), account, 5) // want "R-KFK-IDEM-1"
}

// postCompact: two helpers deep and without hyphens.
func postCompact(account string) *ledger.EntryPosted {
	id := ids.Compact() // want "R-KFK-IDEM-1"
	return ledger.NewEntryPosted(id, "", account, 5)
}

// postPair: the helper returns several values.
func postPair(account string) (*ledger.EntryPosted, error) {
	event, request, err := ids.Pair() // want "R-KFK-IDEM-1"
	if err != nil {
		return nil, err
	}
	return ledger.NewEntryPosted(event.String(), request.String(), account, 5), nil
}
