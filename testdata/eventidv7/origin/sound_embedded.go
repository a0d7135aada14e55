package origin

import (
	"time"

	"example.com/cases/eventidv7/origin/ledger"
	"github.com/google/uuid"
)

// accountFrozen embeds an envelope with version 7; its own field is the random id of the case.
type accountFrozen struct {
	ledger.Envelope
	CaseID uuid.UUID `json:"caseId"`
}

func freezeAccount() accountFrozen {
	return accountFrozen{
		Envelope: ledger.Envelope{EventID: uuid.Must(uuid.NewV7()), EventType: "account.frozen", OccurredAt: time.Now()},
		CaseID:   uuid.New(),
	}
}

func thawAccount(frozen accountFrozen) accountFrozen {
	ev := accountFrozen{Envelope: ledger.NewEnvelope("account.thawed")}
	ev.CaseID = uuid.New()
	return ev
}

// resend copies the head, the id with it.
func resend(ev accountFrozen) accountFrozen {
	return accountFrozen{Envelope: ev.Envelope, CaseID: uuid.New()}
}
