// Package ids is the house's helper for identifiers. It does not know what they will name, so nothing is reported here.
package ids

import (
	"strings"

	"github.com/google/uuid"
)

// New returns a random identifier.
func New() string { return random().String() }

// Compact returns a random identifier without hyphens.
func Compact() string { return strings.ReplaceAll(New(), "-", "") }

// Pair returns two random identifiers or an error.
func Pair() (first, second uuid.UUID, err error) {
	if first, err = uuid.NewRandom(); err != nil {
		return
	}
	second, err = uuid.NewRandom()
	return
}

func random() uuid.UUID { return uuid.New() }

// Sorted returns an identifier that sorts by time.
func Sorted() string {
	id, err := uuid.NewV7()
	if err != nil {
		panic(err)
	}
	return id.String()
}

// For returns the identifier that belongs to a name: the same one each time.
func For(name string) string {
	return uuid.NewSHA1(uuid.NameSpaceOID, []byte(name)).String()
}
