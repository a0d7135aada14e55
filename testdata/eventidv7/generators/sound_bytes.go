package generators

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"github.com/google/uuid"
)

// quayRepaired is an event of the harbour with a secret beside its id.
type quayRepaired struct {
	EventID    string    `json:"eventId"`
	Type       string    `json:"type"`
	OccurredAt time.Time `json:"occurredAt"`
	Download   string    `json:"download"`
}

// repairQuay: the random bytes are the download's token.
func repairQuay() (quayRepaired, error) {
	b := make([]byte, 32)
	if _, err := rand.Read(b); err != nil {
		return quayRepaired{}, err
	}
	return quayRepaired{
		EventID:    uuid.Must(uuid.NewV7()).String(),
		Type:       "quay.repaired",
		OccurredAt: time.Now(),
		Download:   hex.EncodeToString(b),
	}, nil
}

// repairQuayHash: the id is a hash of the content, the same at each attempt.
func repairQuayHash(report any) (quayRepaired, error) {
	body, err := json.Marshal(report)
	if err != nil {
		return quayRepaired{}, err
	}
	sum := sha256.Sum256(body)
	return quayRepaired{EventID: hex.EncodeToString(sum[:16]), Type: "quay.repaired", OccurredAt: time.Now()}, nil
}

// repairQuayHex only encodes bytes that are given.
func repairQuayHex(id []byte) quayRepaired {
	return quayRepaired{EventID: hex.EncodeToString(id), Type: "quay.repaired", OccurredAt: time.Now()}
}
