package generators

import (
	"time"

	google "github.com/google/uuid"
	"github.com/hashicorp/go-uuid"
)

// lockEmptied is an event of the canal; its lease is a token of the lock service.
type lockEmptied struct {
	EventID    string    `json:"eventId"`
	Type       string    `json:"type"`
	OccurredAt time.Time `json:"occurredAt"`
	Lease      string    `json:"lease"`
}

func emptyLock() (*lockEmptied, error) {
	lease, err := uuid.GenerateUUID()
	if err != nil {
		return nil, err
	}
	id, err := google.NewV7()
	if err != nil {
		return nil, err
	}
	return &lockEmptied{EventID: id.String(), Type: "lock.emptied", OccurredAt: time.Now(), Lease: lease}, nil
}

// emptyLockBytes only reformats bytes that came from elsewhere.
func emptyLockBytes(raw []byte) (*lockEmptied, error) {
	id, err := uuid.FormatUUID(raw)
	return &lockEmptied{EventID: id, Type: "lock.emptied", OccurredAt: time.Now()}, err
}
