// Package ids makes identifiers for other packages.
package ids

import (
	"crypto/rand"
	"encoding/hex"

	"github.com/google/uuid"
)

// New returns a random id.
func New() string { return uuid.NewString() }

// Ordered returns an id that sorts by time.
func Ordered() string { return uuid.Must(uuid.NewV7()).String() }

// Random returns 16 random bytes in hexadecimal.
func Random() (string, error) {
	b := make([]byte, 16)
	if _, err := rand.Read(b); err != nil {
		return "", err
	}
	return hex.EncodeToString(b), nil
}
