package generators

import (
	"crypto/rand"
	"time"

	"github.com/google/uuid"
)

// berthFreed is an event of the harbour with the ids of other things beside its own.
type berthFreed struct {
	EventID    uuid.UUID `json:"eventId"`
	Type       string    `json:"type"`
	OccurredAt time.Time `json:"occurredAt"`
	Visit      uuid.UUID `json:"visitId"`
	TraceID    string    `json:"traceId"`
}

func freeBerth() berthFreed {
	return berthFreed{
		EventID:    uuid.Must(uuid.NewV7()),
		Type:       "berth.freed",
		OccurredAt: time.Now(),
		Visit:      uuid.New(),
		TraceID:    uuid.NewString(),
	}
}

func freeBerthReader() (berthFreed, error) {
	id, err := uuid.NewV7FromReader(rand.Reader)
	return berthFreed{EventID: id, Type: "berth.freed", OccurredAt: time.Now()}, err
}

// freeBerthNamed: the id is computed of the visit, so a second attempt makes the same event.
func freeBerthNamed(visit uuid.UUID) berthFreed {
	return berthFreed{EventID: uuid.NewSHA1(visit, []byte("freed")), Type: "berth.freed", OccurredAt: time.Now(), Visit: visit}
}

func freeBerthMD5(visit uuid.UUID) berthFreed {
	return berthFreed{EventID: uuid.NewMD5(visit, []byte("freed")), Type: "berth.freed", OccurredAt: time.Now(), Visit: visit}
}

func freeBerthParsed(id string) (berthFreed, error) {
	parsed, err := uuid.Parse(id)
	return berthFreed{EventID: parsed, Type: "berth.freed", OccurredAt: time.Now()}, err
}

func freeBerthBytes(id []byte) (berthFreed, error) {
	parsed, err := uuid.FromBytes(id)
	return berthFreed{EventID: parsed, Type: "berth.freed", OccurredAt: time.Now()}, err
}
