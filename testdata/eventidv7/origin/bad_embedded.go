package origin

import (
	"time"

	"example.com/cases/eventidv7/origin/ledger"
	"github.com/google/uuid"
)

// accountOpened embeds the envelope.
type accountOpened struct {
	ledger.Envelope
	Account string `json:"account"`
}

func openAccount(account string) accountOpened {
	return accountOpened{
		Envelope: ledger.Envelope{
			EventID:    uuid.New(), // want "R-KFK-IDEM-1"
			EventType:  "account.opened",
			OccurredAt: time.Now(),
		},
		Account: account,
	}
}

// accountClosed sets the promoted field.
type accountClosed struct {
	*ledger.Envelope
	Account string `json:"account"`
}

func closeAccount(account string) accountClosed {
	ev := accountClosed{Envelope: new(ledger.Envelope), Account: account}
	ev.EventID = uuid.New() // want "R-KFK-IDEM-1"
	ev.EventType = "account.closed"
	ev.OccurredAt = time.Now()
	return ev
}

// eventMeta is a head that is a field, not embedded.
type eventMeta struct {
	EventID   string    `json:"event_id"`
	EventType string    `json:"event_type"`
	Timestamp time.Time `json:"timestamp"`
}

type limitRaised struct {
	Meta  eventMeta `json:"meta"`
	Limit int64     `json:"limit"`
}

func raiseLimit(limit int64) *limitRaised {
	ev := &limitRaised{Limit: limit}
	ev.Meta.EventID = uuid.NewString() // want "R-KFK-IDEM-1"
	ev.Meta.EventType = "limit.raised"
	ev.Meta.Timestamp = time.Now()
	return ev
}
