// Package fix has the calls that -fix replaces.
package fix

import "github.com/google/uuid"

type sent struct {
	EventID string
	Payload []byte
}

type sentRaw struct {
	EventID uuid.UUID
	Payload []byte
}

func text() sent { return sent{EventID: uuid.NewString()} } // want "R-KFK-IDEM-1"

func raw() sentRaw { return sentRaw{EventID: uuid.New()} } // want "R-KFK-IDEM-1"

func random() (sentRaw, error) {
	id, err := uuid.NewRandom() // want "R-KFK-IDEM-1"
	return sentRaw{EventID: id}, err
}

func must() sentRaw {
	return sentRaw{EventID: uuid.Must(uuid.NewUUID())} // want "R-KFK-IDEM-1"
}
