package generators

import (
	"time"

	"github.com/hashicorp/go-uuid"
)

// lockFilled is an event of the canal.
type lockFilled struct {
	EventID    string    `json:"eventId"`
	Type       string    `json:"type"`
	OccurredAt time.Time `json:"occurredAt"`
	Lock       string    `json:"lock"`
}

func fillLock(lock string) (*lockFilled, error) {
	id, err := uuid.GenerateUUID() // want "R-KFK-IDEM-1"
	if err != nil {
		return nil, err
	}
	return &lockFilled{EventID: id, Type: "lock.filled", OccurredAt: time.Now(), Lock: lock}, nil
}

// fillLockBytes formats random bytes as a UUID.
func fillLockBytes(lock string) (*lockFilled, error) {
	buf, err := uuid.GenerateRandomBytes(16) // want "R-KFK-IDEM-1"
	if err != nil {
		return nil, err
	}
	id, err := uuid.FormatUUID(buf)
	if err != nil {
		return nil, err
	}
	return &lockFilled{EventID: id, Type: "lock.filled", OccurredAt: time.Now(), Lock: lock}, nil
}
