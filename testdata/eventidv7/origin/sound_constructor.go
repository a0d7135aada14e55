package origin

import (
	"time"

	"example.com/cases/eventidv7/origin/ids"
	"example.com/cases/eventidv7/origin/ledger"
	"github.com/google/uuid"
)

type chargeFailed struct {
	EventID   string
	EventType string
	EventTime time.Time
	ChargeID  string
	AttemptID string
}

// newChargeFailed makes the event's id itself; the caller's random ids are the charge's.
func newChargeFailed(chargeID, attemptID string) chargeFailed {
	return chargeFailed{
		EventID:   ids.Sorted(),
		EventType: "charge.failed",
		EventTime: time.Now(),
		ChargeID:  chargeID,
		AttemptID: attemptID,
	}
}

func failCharge() chargeFailed { return newChargeFailed(uuid.NewString(), ids.New()) }

// postTransfer: the second parameter is the request's.
func postTransfer(account string) *ledger.EntryPosted {
	return ledger.NewEntryPosted(ids.Sorted(), ids.New(), account, 7)
}

// postMonthly: one entry a month and account, so its id is computed of them.
func postMonthly(account, month string) *ledger.EntryPosted {
	return ledger.NewEntryPosted(ids.For(account+"/"+month), ids.New(), account, 7)
}

// postGiven: where the id comes from cannot be seen.
func postGiven(id, account string) *ledger.EntryPosted {
	return ledger.NewEntryPosted(id, "", account, 7)
}
