package basic

import (
	"time"

	gofrs "github.com/gofrs/uuid/v5"
	"github.com/hashicorp/go-uuid"
	gonanoid "github.com/matoous/go-nanoid/v2"
	"github.com/oklog/ulid/v2"
	"github.com/rs/xid"
	satori "github.com/satori/go.uuid"
	"github.com/segmentio/ksuid"
)

// lampEvent is an event.
type lampEvent struct {
	EventID string
	Kind    string
	At      time.Time
}

func byGofrs() lampEvent {
	return lampEvent{EventID: gofrs.Must(gofrs.NewV4()).String(), Kind: "lit"} // want "R-KFK-IDEM-1.*uuid.NewV4"
}

func byGofrsV6() (lampEvent, error) {
	id, err := gofrs.NewV6() // want "R-KFK-IDEM-1"
	return lampEvent{EventID: id.String(), Kind: "lit"}, err
}

func bySatori() lampEvent { return lampEvent{EventID: satori.NewV4().String()} } // want "R-KFK-IDEM-1"

func byHashicorp() (lampEvent, error) {
	id, err := uuid.GenerateUUID() // want "R-KFK-IDEM-1"
	return lampEvent{EventID: id}, err
}

func byUlid() lampEvent { return lampEvent{EventID: ulid.Make().String()} } // want "R-KFK-IDEM-1.*no UUID"

func byKsuid() lampEvent { return lampEvent{EventID: ksuid.New().String()} } // want "R-KFK-IDEM-1"

func byXid() lampEvent { return lampEvent{EventID: xid.New().String()} } // want "R-KFK-IDEM-1"

func byNanoid() lampEvent { return lampEvent{EventID: gonanoid.Must()} } // want "R-KFK-IDEM-1"

// gofrs's version 7 is right.
func byGofrsV7() lampEvent { return lampEvent{EventID: gofrs.Must(gofrs.NewV7()).String()} }

// The lamp's own id may be what it likes.
type lamp struct{ ID, Serial string }

func newLamp() lamp { return lamp{ID: ulid.Make().String(), Serial: xid.New().String()} }
